import type { DiscoveryService } from '@nestjs/core';

/** What the application provides under a token. */
export interface Provided<T> {
  readonly instance?: T;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** Looks in all modules: whoever searches does not have to be where the application keeps it. */
export function findProvided<T>(discovery: DiscoveryService, token: { readonly name: string }): Provided<T> {
  for (const wrapper of discovery.getProviders()) {
    if (wrapper.token !== token) continue;
    if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient) {
      return {
        problem:
          `The ${token.name} in ${wrapper.host?.name} is request-scoped or transient, or injects something that is, but one serves all ` +
          'requests. Make it and what it injects singletons.',
      };
    }
    const instance: unknown = wrapper.instance;
    if (instance !== undefined && instance !== null) return { instance: instance as T };
  }
  return {};
}

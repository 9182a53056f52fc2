import type { DiscoveryService } from '@nestjs/core';

/** The application's provider for a token. */
export interface Provided<T> {
  readonly instance?: T;
  /** The reason why it cannot be used. */
  readonly problem?: string;
}

/** Searches all modules, so that the application can provide it anywhere. */
export function findProvided<T>(discovery: DiscoveryService, token: { readonly name: string }): Provided<T> {
  for (const wrapper of discovery.getProviders()) {
    if (wrapper.token !== token) continue;
    if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient) {
      return {
        problem:
          `The ${token.name} in ${wrapper.host?.name} is request-scoped or transient, or depends on a provider that is, but one instance ` +
          'serves all requests. Make it and its dependencies singletons.',
      };
    }
    const instance: unknown = wrapper.instance;
    if (instance !== undefined && instance !== null) return { instance: instance as T };
  }
  return {};
}

import type { InjectionToken, Provider, Type } from '@nestjs/common';

/**
 * On a token of another package, whose providers an application gives to AiModule: AiModule exports and
 * checks it like its own. A `store` is what the application replaces, a `service` what works with stores.
 */
export const OF_AI_MODULE: unique symbol = Symbol.for('nestor.OfAiModule');

/** On a provider that others of the same token replace, wherever they stand in the list. */
const IS_DEFAULT: unique symbol = Symbol.for('nestor.IsDefault');

/** Not a class that extends such a token: it is a token of its own. */
export function isOfPackage(token: unknown, kind?: 'store' | 'service'): token is Type {
  if (typeof token !== 'function' || !Object.hasOwn(token, OF_AI_MODULE)) return false;
  return kind === undefined || (token as unknown as { [OF_AI_MODULE]: string })[OF_AI_MODULE] === kind;
}

/** Marks the providers that a package adds to AiModule. They must be objects. */
export function asDefaults(providers: readonly Provider[]): readonly Provider[] {
  return providers.map((provider) => Object.assign(provider, { [IS_DEFAULT]: true }));
}

/** The providers with the defaults of packages first, each once, since Nest uses the last one of a token. */
export function defaultsFirst(providers: readonly Provider[]): Provider[] {
  const defaults = new Set(providers.filter(isDefault));
  return [...defaults, ...providers.filter((provider) => !isDefault(provider))];
}

/** The tokens of packages among these providers, to export them. */
export function tokensOfPackages(providers: readonly Provider[]): readonly Type[] {
  return providers.map(tokenOf).filter((token) => isOfPackage(token));
}

export function tokenOf(provider: Provider): InjectionToken {
  return 'provide' in provider ? provider.provide : provider;
}

function isDefault(provider: Provider): boolean {
  return Object.hasOwn(provider, IS_DEFAULT);
}

import { readEnhancers } from '../../tool/declaration/enhancers.js';
import type { ProviderHost } from '../discovery/provider-host.js';

/** Any method. */
export type Method = (...args: unknown[]) => unknown;

/** An instance of the class with one method, for what is called without an instance: guards ask it for its class. */
export function standIn(type: ProviderHost['type'], methodName: string, call: Method): () => Record<string, Method> {
  const instance = Object.create(type.prototype, { [methodName]: { value: call } }) as Record<string, Method>;
  return () => instance;
}

/**
 * A factory may make something else than the class that stands for it, with enhancers that nobody has seen.
 *
 * @throws Error when it has any
 */
export function checkInstance(instance: object, prototype: object, methodName: string): void {
  const actual = Object.getPrototypeOf(instance) as object;
  if (actual === prototype) return;
  const kinds = [...readEnhancers(actual, methodName).effective.keys()];
  if (kinds.length === 0) return;
  throw new Error(
    `${actual.constructor.name}.${methodName}() has ${kinds.join(' and ')} that its provider was not known to have. Provide ` +
      `${actual.constructor.name} itself.`,
  );
}

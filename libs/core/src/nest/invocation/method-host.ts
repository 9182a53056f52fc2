import { readEnhancers } from '../../tool/declaration/enhancers.js';
import { isInstanceOf } from '../../tool/type.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** The type of the execution context that guards, interceptors and filters of tools see. */
export const AI_TOOL_CONTEXT_TYPE = 'ai-tool';

/** Any method. */
export type Method = (...args: unknown[]) => unknown;

/** An instance of the class with one method, for what is called without an instance: guards ask it for its class. */
export function standIn(type: ProviderHost['type'], methodName: string, call: Method): () => Record<string, Method> {
  const instance = Object.create(type.prototype, { [methodName]: { value: call } }) as Record<string, Method>;
  return () => instance;
}

/**
 * What is called as an instance of a class: the instance itself, or a stand-in that passes the call on to what somebody has put
 * in its place, such as a plain object in a test.
 */
export function asInstanceOf(
  type: ProviderHost['type'],
  instance: Record<string, Method>,
  methodName: string,
): Record<string, Method> {
  if (isInstanceOf(instance, type.prototype)) return instance;
  return standIn(type, methodName, (...args) => instance[methodName]!(...args))();
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

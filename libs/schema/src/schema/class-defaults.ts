import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../json/message-of.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Constructor, Type } from '../type.js';

/**
 * The property values of a new instance. They apply when the model leaves a property out.
 *
 * @throws ToolDeclarationException for a class that cannot be instantiated without arguments
 */
export function readDefaults(type: Type): Readonly<Record<string, unknown>> {
  try {
    const one = new (type as Constructor<Record<string, unknown>>)();
    const defaults: Record<string, unknown> = {};
    let another: Record<string, unknown> | undefined;
    for (const [name, value] of Object.entries(one)) {
      if (value === undefined) continue;
      // A value that differs each time, such as a random id, cannot be described as a default.
      another ??= new (type as Constructor<Record<string, unknown>>)();
      defaults[name] = Object.is(value, another[name]) || isDeepStrictEqual(value, another[name]) ? value : VOLATILE;
    }
    return defaults;
  } catch (cause) {
    throw new ToolDeclarationException(
      `${type.name} cannot be the input of a tool: it cannot be instantiated without arguments (${messageOf(cause)}). ` +
        'Let its constructor work without them, or declare an interface.',
      { cause },
    );
  }
}

const VOLATILE = Symbol('volatile');

/**
 * The default value for the schema. Undefined if the model does not need it or JSON cannot express
 * it.
 */
export function defaultOf(value: unknown, isNullable: boolean): unknown {
  if (value === null) return isNullable ? null : undefined;
  return isJson(value) ? value : undefined;
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return Object.values(value).every(isJson);
}

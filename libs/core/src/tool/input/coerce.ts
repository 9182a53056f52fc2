import type { JsonSchema } from '../../model/json-schema.js';
import { isJsonObject } from './tool-input.js';

/** Turns values into the type their schema asks for, where the model's intent is beyond doubt. */
export type Coercion = (value: unknown) => unknown;

const NUMBER = /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;

/**
 * Compiles a schema to a {@link Coercion}: `"5"` for a number becomes 5, `"true"` for a boolean true,
 * and null for an optional property that cannot be null is left out. Anything
 * else is left for validation to judge. The input is never changed: what changes is copied.
 *
 * @returns undefined when nothing in the schema can be coerced
 */
export function compileCoercion(schema: JsonSchema): Coercion | undefined {
  switch (schema.type) {
    case 'number':
    case 'integer':
      return (value) => (typeof value === 'string' && NUMBER.test(value) ? exactly(Number(value), value) : value);
    case 'boolean':
      return (value) => (value === 'true' ? true : value === 'false' ? false : value);
    case 'array':
      return compileArray(schema);
    case 'object':
      return compileObject(schema);
    default:
      return undefined;
  }
}

/** What a number is turned into or made of, unless digits were lost: then it is left for validation to refuse. */
function exactly<T>(coerced: T, original: unknown): unknown {
  const number = Number(coerced);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? coerced : original;
}

function compileArray(schema: JsonSchema): Coercion | undefined {
  const item = isJsonObject(schema.items) ? compileCoercion(schema.items) : undefined;
  return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
}

function compileObject(schema: JsonSchema): Coercion | undefined {
  if (!isJsonObject(schema.properties)) return undefined;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const properties = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    coerce: isJsonObject(property) ? compileCoercion(property) : undefined,
    dropsNull: !required.has(name) && isJsonObject(property) && !admitsNull(property),
  }));
  return (value) => {
    if (!isJsonObject(value)) return value;
    let copy: Record<string, unknown> | undefined;
    for (const { name, coerce, dropsNull } of properties) {
      if (!Object.hasOwn(value, name)) continue;
      const before = value[name];
      if (before === null && dropsNull) {
        delete (copy ??= { ...value })[name];
        continue;
      }
      const after = coerce ? coerce(before) : before;
      if (after !== before) (copy ??= { ...value })[name] = after;
    }
    return copy ?? value;
  };
}

function admitsNull(schema: JsonSchema): boolean {
  const { type, anyOf, oneOf, nullable } = schema;
  if (type === undefined && anyOf === undefined && oneOf === undefined) return true;
  const alternatives = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return (
    nullable === true ||
    type === 'null' ||
    (Array.isArray(type) && type.includes('null')) ||
    alternatives.some((alternative) => isJsonObject(alternative) && admitsNull(alternative))
  );
}

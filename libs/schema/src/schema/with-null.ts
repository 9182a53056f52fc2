import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';
import { enumSchema } from './enum-schema.js';

/** Keywords that can exclude null even if the type allows it. */
const NOT_BY_TYPE = ['const', 'anyOf', 'oneOf', 'allOf', 'not', '$ref'];

/** The schema of a value that may also be null. */
export function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (NOT_BY_TYPE.some((keyword) => keyword in schema)) return { anyOf: [schema, { type: 'null' }] };
  if (Array.isArray(values)) {
    const { type: _type, ...rest } = schema;
    return { ...rest, enum: values.includes(null) ? values : [...(values as unknown[]), null] };
  }
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  if (Array.isArray(type)) return { ...schema, type: type.includes('null') ? type : [...(type as unknown[]), 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

/** Whether a schema allows null besides other values. */
export function admitsNull({ type, anyOf, enum: values }: JsonSchema): boolean {
  if (Array.isArray(values)) return values.includes(null);
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || listOf(anyOf).some(isNull);
}

/** The schema of the values that are not null. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  if (!admitsNull(schema) || isNull(schema)) return schema;
  const { type, anyOf, enum: values, default: fallback, ...rest } = schema;
  const others = listOf(anyOf).filter((one) => !isNull(one));
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return {
    ...(type !== undefined && { type: Array.isArray(type) ? (types.length === 1 ? types[0] : types) : type }),
    ...(Array.isArray(values) && enumSchema(values.filter((value) => value !== null))),
    ...(others.length === 1 && isJsonObject(others[0]) ? others[0] : anyOf !== undefined && { anyOf: others }),
    ...rest,
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  };
}

function listOf(alternatives: unknown): readonly unknown[] {
  return Array.isArray(alternatives) ? alternatives : [];
}

function isNull(schema: unknown): boolean {
  return isJsonObject(schema) && schema.type === 'null';
}

import type { JsonSchema } from '../../model/json-schema.js';

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

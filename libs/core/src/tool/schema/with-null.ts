import type { JsonSchema } from '../../model/json-schema.js';

/** The schema of a value that may also be null. */
export function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) {
    const { type: _type, ...rest } = schema;
    return { ...rest, enum: values.includes(null) ? values : [...(values as unknown[]), null] };
  }
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  if (Array.isArray(type)) return { ...schema, type: type.includes('null') ? type : [...(type as unknown[]), 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';

/** Changes the schema of a value, of the values of an array or object, or of each alternative. */
export function eachValue(schema: JsonSchema, change: (value: JsonSchema) => JsonSchema): JsonSchema {
  const { items, additionalProperties, anyOf } = schema;
  if (isJsonObject(items)) return { ...schema, items: eachValue(items, change) };
  if (isJsonObject(additionalProperties)) {
    return { ...schema, additionalProperties: eachValue(additionalProperties, change) };
  }
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map((one) => eachValue(one as JsonSchema, change)) };
  return change(schema);
}

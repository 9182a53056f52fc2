import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';

/** Changes a schema whose subschemas have already been changed. */
type Change = (schema: JsonSchema, original: JsonSchema) => JsonSchema;

/** Keywords whose values are data, not schemas. */
const PLAIN_VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** Keywords whose values contain schemas by arbitrary names. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
]);

/**
 * Changes a schema and all its subschemas, innermost first.
 *
 * @returns the schema itself if nothing changes, otherwise a copy of the changed parts
 */
export function mapSchema(schema: JsonSchema, change: Change): JsonSchema {
  return change(
    mapSubschemas(schema, (one) => mapSchema(one, change)),
    schema,
  );
}

/** Changes the direct subschemas of a schema. */
export function mapSubschemas(schema: JsonSchema, map: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  return mapEntries(schema, (value, keyword) => {
    if (PLAIN_VALUES.has(keyword)) return value;
    if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) return mapEntries(value, (child) => mapValue(child, map));
    return mapValue(value, map);
  });
}

function mapValue(value: unknown, map: (subschema: JsonSchema) => JsonSchema): unknown {
  if (isJsonObject(value)) return map(value);
  if (!Array.isArray(value)) return value;
  const mapped = value.map((item: unknown) => mapValue(item, map));
  return mapped.some((item, index) => item !== value[index]) ? mapped : value;
}

function mapEntries(object: JsonSchema, map: (value: unknown, key: string) => unknown): JsonSchema {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const mapped = map(object[key], key);
    if (mapped !== object[key]) (copy ??= { ...object })[key] = mapped;
  }
  return copy ?? object;
}

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

import type { JsonSchema } from '../json/json-schema.js';
import { mapSchema } from '../schema/map-schema.js';

/**
 * Translates the limits of JSON Schema draft 04, which many servers still use without declaring
 * it. There, `exclusiveMinimum: true` means that `minimum` itself is excluded.
 *
 * @returns the schema itself if there is nothing to translate
 */
export function translateDraft04Limits(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (inner) =>
    translateLimit(translateLimit(inner, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum'),
  );
}

function translateLimit(schema: JsonSchema, limit: string, exclusive: string): JsonSchema {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [limit]: bound, [exclusive]: isExclusive, ...rest } = schema;
  if (typeof bound !== 'number') return rest;
  return { ...rest, [isExclusive ? exclusive : limit]: bound };
}

import type { JsonSchema } from '../../model/json-schema.js';
import { mapSchema } from '../schema/map-schema.js';

/**
 * A schema whose limits a validator of today understands. In draft 04, which many servers still write without saying so,
 * `exclusiveMinimum: true` says that `minimum` itself does not count.
 *
 * @returns the schema itself when there is nothing to translate
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

import type { JsonSchema } from '../../model/json-schema.js';
import { isJsonObject } from '../input/tool-input.js';

/** The format of a text that becomes a Date, in the schemas that inputs are held to. No model is shown it. */
export const DATE_FORMAT = 'tool-date';

/** The schema of a date, or of several, with the format that is checked. */
export function withDateFormat(schema: JsonSchema): JsonSchema {
  const { items, additionalProperties, anyOf } = schema;
  if (isJsonObject(items)) return { ...schema, items: withDateFormat(items) };
  if (isJsonObject(additionalProperties))
    return { ...schema, additionalProperties: withDateFormat(additionalProperties) };
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map((one) => withDateFormat(one as JsonSchema)) };
  return { ...schema, format: DATE_FORMAT };
}

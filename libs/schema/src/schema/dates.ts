import type { JsonSchema } from '../json/json-schema.js';
import { eachValue } from './map-schema.js';

/** The schema of a date in the definition for the model. */
export const DATE_SCHEMA: JsonSchema = Object.freeze({ type: 'string', format: 'date-time' });

/** The format of dates in the schema for validation. Models never see it. */
export const DATE_FORMAT = 'tool-date';

/** Changes the schema of a date, or of several dates, for validation. */
export function withDateFormat(schema: JsonSchema): JsonSchema {
  return eachValue(schema, (value) => ({ ...value, format: DATE_FORMAT }));
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text is a valid date, with or without time. `new Date()` accepts almost any text. */
export function isIsoDate(text: string): boolean {
  const [, year, month, day] = ISO.exec(text) ?? [];
  if (year === undefined || Number.isNaN(new Date(text).getTime())) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

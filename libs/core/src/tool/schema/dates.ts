import type { JsonSchema } from '../../model/json-schema.js';
import type { ToolInputIssue } from '../input/tool-input.js';
import { eachValue } from './each-value.js';

/** A text that becomes a Date, as models are shown it. */
export const DATE_SCHEMA: JsonSchema = Object.freeze({ type: 'string', format: 'date-time' });

/** The format of such a text in the schemas that inputs are held to. No model is shown it. */
export const DATE_FORMAT = 'tool-date';

/** The schema of a date, or of several, with the format that is checked. */
export function withDateFormat(schema: JsonSchema): JsonSchema {
  return eachValue(schema, (value) => ({ ...value, format: DATE_FORMAT }));
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text is a date, with or without a time, that there is: `new Date()` makes one of nearly any text. */
export function isIsoDate(text: string): boolean {
  const [, year, month, day] = ISO.exec(text) ?? [];
  if (year === undefined || Number.isNaN(new Date(text).getTime())) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** The date of an ISO text; of a text that is none, the text, and an issue. */
export function readDate(text: string, path: string, issues: ToolInputIssue[]): Date | string {
  if (isIsoDate(text)) return new Date(text);
  issues.push({ path, message: `'${path}' must be a date and time in ISO-8601 format` });
  return text;
}

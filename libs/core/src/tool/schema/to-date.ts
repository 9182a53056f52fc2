import { ToolInputException, type ToolInputIssue } from '../input/tool-input.js';

/** The date of an ISO text; of a text that is none, the text, and an issue. */
export function readDate(text: string, path: string, issues: ToolInputIssue[]): Date | string {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  issues.push({ path, message: `'${path}' must be a date and time in ISO-8601 format` });
  return text;
}

/** @throws ToolInputException when the text is no date */
export function toDate(text: string): Date {
  const issues: ToolInputIssue[] = [];
  const date = readDate(text, '', issues);
  if (typeof date === 'string') throw new ToolInputException(issues);
  return date;
}

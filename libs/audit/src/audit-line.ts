import type { ToolAuditRecord } from './tool-audit-record.js';

/** Line ends to some readers of lines, such as readline of Node.js 24. JSON does not escape them. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** The line of a record: its JSON, which no reader splits. */
export function toLine(record: ToolAuditRecord): string {
  return escaped(JSON.stringify(record));
}

/**
 * Reads the record of a line. Undefined if the line has none, such as an incomplete one after a
 * crash.
 */
export function readRecord(line: string): ToolAuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ToolAuditRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the line is exactly the JSON of the record. Duplicate keys in a line could be read
 * differently elsewhere. A record has no nested values.
 */
export function isLineOf(line: string, record: object): boolean {
  const isFlat = Object.values(record).every((value) => typeof value !== 'object' || value === null);
  return isFlat && escaped(JSON.stringify(record)) === escaped(line);
}

function escaped(json: string): string {
  return json.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

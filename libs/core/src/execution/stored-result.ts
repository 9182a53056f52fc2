import { isPlainObject } from '@nestor-ai/schema';
import { ToolResult, type ToolResultInit } from '../model/tool-result.js';

/**
 * A result as JSON. Undefined if the result would not be the same when it is read again, such as an
 * instance of a class.
 */
export function toStoredResult(result: unknown): string | undefined {
  if (!ToolResult.isToolResult(result))
    return isJson(result, new Set()) ? JSON.stringify({ value: result }) : undefined;
  const { text, content, isError, value, untrusted } = result;
  const toolResult: unknown = { text, content, isError, value, untrusted };
  return isJson(toolResult, new Set()) ? JSON.stringify({ toolResult }) : undefined;
}

/** The result that {@link toStoredResult} was given. @throws SyntaxError if it is not JSON */
export function fromStoredResult(json: string): unknown {
  const stored = JSON.parse(json) as { readonly value: unknown } | { readonly toolResult: ToolResultInit };
  return 'toolResult' in stored ? new ToolResult(stored.toolResult) : stored.value;
}

/** Whether JSON keeps a value. A property that is undefined counts as missing. */
function isJson(value: unknown, ancestors: Set<object>): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || ancestors.has(value) || 'toJSON' in value) return false;
  ancestors.add(value);
  const isKept = Array.isArray(value) ? isJsonArray(value, ancestors) : isJsonObject(value, ancestors);
  ancestors.delete(value);
  return isKept;
}

function isJsonArray(items: readonly unknown[], ancestors: Set<object>): boolean {
  // Not every(), which skips the gaps.
  return Object.keys(items).length === items.length && items.every((item) => isJson(item, ancestors));
}

function isJsonObject(value: object, ancestors: Set<object>): boolean {
  if (!isPlainObject(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
  return Object.values(value).every((part) => part === undefined || isJson(part, ancestors));
}

import { isResultLike, ToolResult } from '../../model/tool-result.js';
import { toJsonText } from './to-json-text.js';
import { checkReadable } from './tool-call-result-converter.js';

/** Normalizes the result of a custom tool, which may return anything. */
export function toToolResult(result: unknown): ToolResult {
  checkReadable(result);
  if (!isResultLike(result)) return new ToolResult({ text: result === undefined ? '' : toJsonText(result) });
  const { text, content, isError, value, untrusted } = result;
  return new ToolResult({
    text: typeof text === 'string' ? text : toJsonText(text),
    ...(Array.isArray(content) && { content }),
    ...(isError && { isError }),
    ...(value !== undefined && { value }),
    ...(untrusted && { untrusted }),
  });
}

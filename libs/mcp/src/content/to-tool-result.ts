import type { CallToolResult } from '@modelcontextprotocol/client';
import { ToolResult } from '@nestor-ai/core';
import { readContent } from './read-content.js';

/**
 * The result of a server's tool for the model. Code that reads results finds the structured content
 * in `value`.
 */
export function toToolResult({ content, structuredContent, isError = false }: CallToolResult): ToolResult {
  const { text, parts } = readContent(content);
  // A server with structured content should repeat it as text, for clients that read only text.
  const isRepeated = structuredContent === undefined || text.trim() !== '' || parts.length > 0;
  return new ToolResult({
    text:
      (isRepeated ? text : jsonOf(structuredContent)) ||
      (isError ? 'The tool failed without a reason.' : 'Done. Nothing was returned.'),
    ...(parts.length > 0 && { content: parts }),
    ...(structuredContent !== undefined && { value: structuredContent }),
    ...(isError && { isError }),
  });
}

/** JSON, unless the server nested it so deeply that it cannot be written. */
function jsonOf(structuredContent: unknown): string {
  try {
    return JSON.stringify(structuredContent);
  } catch {
    return '[data that is nested too deeply to read]';
  }
}

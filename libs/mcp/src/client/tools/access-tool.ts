import type { ToolMetadata } from '@nestor-ai/core';

/** The labels of tools that read from a server: they change nothing, and strangers wrote the text. */
export const ACCESS_METADATA: ToolMetadata = Object.freeze({ returnDirect: false, untrusted: true, effect: 'read' });

/** The schema of the arguments of a tool that lists in pages. */
export const PAGE_SCHEMA = {
  type: 'object',
  properties: {
    cursor: { type: 'string', description: 'From the end of the previous page. Omit it for the first page.' },
  },
  additionalProperties: false,
} as const;

/** The parameters of a request for a page. Models write an empty text for no cursor. */
export function pageParams({ cursor }: { readonly cursor?: string }): { cursor?: string } {
  return cursor ? { cursor } : {};
}

/** The longest line for one item, in characters. */
const MAX_LINE = 500;

/** The text of a page. */
export function pageText(lines: readonly string[], what: string, nextCursor: string | undefined): string {
  const items = lines.map((line) => line.replace(/\s+/g, ' ').slice(0, MAX_LINE));
  const more = nextCursor === undefined ? [] : [`There are more. Next cursor: ${nextCursor}`];
  return [...(items.length > 0 ? items : [`This page has no ${what}.`]), ...more].join('\n');
}

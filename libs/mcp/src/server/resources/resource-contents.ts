import { types } from 'node:util';
import { DefaultToolCallResultConverter, ToolResult } from '@nestor-ai/core';

/** A part of a resource: text or base64. Without `uri`, it has the URI that was read. */
export interface McpResourceContent {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64, or the bytes. */
  readonly blob?: string | Uint8Array;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';
const BYTES = 'application/octet-stream';

const CONTENT_KEYS: ReadonlySet<string> = new Set(['uri', 'mimeType', 'text', 'blob', '_meta']);

const json = new DefaultToolCallResultConverter();

/**
 * Converts what a resource method returned. `value` of the result is the contents; undefined if the
 * method returned nothing, so that there is no such resource.
 *
 * - A string is text.
 * - Bytes and a Blob are base64.
 * - `{ text | blob, mimeType? }`, or a list of these, are contents.
 * - Everything else becomes JSON.
 *
 * @param mimeType the type that the resource declares
 */
export async function toContents(returned: unknown, mimeType: string | undefined): Promise<ToolResult> {
  if (returned === undefined || returned === null) return new ToolResult({ text: 'Nothing was found.' });
  const contents = isContent(returned)
    ? [toContent(returned, mimeType)]
    : isContentList(returned)
      ? returned.map((content) => toContent(content, mimeType))
      : [await convert(returned, mimeType)];
  return new ToolResult({ text: contents.map(describe).join('\n'), value: contents });
}

async function convert(returned: unknown, mimeType: string | undefined): Promise<McpResourceContent> {
  if (typeof returned === 'string') return { mimeType: mimeType ?? TEXT, text: returned };
  if (types.isUint8Array(returned)) return toContent({ blob: returned }, mimeType);
  if (types.isAnyArrayBuffer(returned)) return toContent({ blob: new Uint8Array(returned) }, mimeType);
  if (returned instanceof Blob) {
    const blob = new Uint8Array(await returned.arrayBuffer());
    return toContent({ blob, ...(returned.type && { mimeType: returned.type }) }, mimeType);
  }
  const text = json.convert(returned);
  // A `ToolResult` stays one.
  if (typeof text !== 'string') return { mimeType: mimeType ?? TEXT, text: (await text).text };
  return { mimeType: mimeType ?? JSON_TYPE, text };
}

function toContent({ blob, ...content }: McpResourceContent, mimeType: string | undefined): McpResourceContent {
  const bytes = typeof blob === 'string' || blob === undefined ? blob : toBase64(blob);
  const type = content.mimeType ?? mimeType ?? (bytes === undefined ? TEXT : BYTES);
  return { ...content, mimeType: type, ...(bytes !== undefined && { blob: bytes }) };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function isContentList(value: unknown): value is readonly McpResourceContent[] {
  return Array.isArray(value) && value.length > 0 && value.every(isContent);
}

/** Data that has a `text` among other properties is not content. */
function isContent(value: unknown): value is McpResourceContent {
  if (typeof value !== 'object' || value === null) return false;
  const { text, blob, uri, mimeType } = value as Record<string, unknown>;
  const isText = typeof text === 'string' && blob === undefined;
  const isBlob = (typeof blob === 'string' || types.isUint8Array(blob)) && text === undefined;
  const isNamed = [uri, mimeType].every((name) => name === undefined || typeof name === 'string');
  return (isText || isBlob) && isNamed && Object.keys(value).every((key) => CONTENT_KEYS.has(key));
}

function describe({ text, mimeType, blob }: McpResourceContent): string {
  return text ?? `${mimeType}, ${blob!.length} characters of base64`;
}

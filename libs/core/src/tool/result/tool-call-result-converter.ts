import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { Observable } from 'rxjs';
import { ToolResult } from '../../model/tool-result.js';
import { isByteStream, unreadable } from './settle-result.js';
import { toJsonText } from './to-json-text.js';
import { types } from 'node:util';
import { describeContentPart, type FilePart, type ImagePart } from '../../model/content-part.js';

/** The first bytes of each image format. Undefined stands for any byte. */
const SIGNATURES: readonly (readonly [mimeType: string, bytes: readonly (number | undefined)[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50]],
];

/**
 * Converts a binary result: the bytes of an image, recognized by its first bytes, or a Blob with
 * its type.
 *
 * @returns undefined for anything else, including other bytes
 */
function readBinary(result: unknown): ToolResult | Promise<ToolResult> | undefined {
  const bytes = result instanceof ArrayBuffer ? new Uint8Array(result) : result;
  if (types.isUint8Array(bytes)) {
    const mimeType = imageTypeOf(bytes);
    return mimeType === undefined ? undefined : toResult({ type: 'image', mimeType, data: bytes });
  }
  return result instanceof Blob ? readBlob(result) : undefined;
}

async function readBlob(blob: Blob): Promise<ToolResult> {
  const data = new Uint8Array(await blob.arrayBuffer());
  const mimeType = blob.type || (imageTypeOf(data) ?? 'application/octet-stream');
  if (mimeType.startsWith('image/')) return toResult({ type: 'image', mimeType, data });
  const { name } = blob as Blob & { name?: string };
  return toResult({ type: 'file', mimeType, data, ...(name && { name }) });
}

function toResult(part: ImagePart | FilePart): ToolResult {
  return new ToolResult({ text: describeContentPart(part), content: [part] });
}

function imageTypeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, signature]) => {
    return signature.every((byte, index) => byte === undefined || bytes[index] === byte);
  })?.[0];
}

/** Converts the return value of a tool to the text that the model reads. */
export abstract class ToolCallResultConverter {
  /**
   * @param result the return value, after promises and streams have settled
   * @param returnType the declared return class of the method, if TypeScript emits it
   * @throws any error; it becomes an error result for the model
   */
  abstract convert(result: unknown, returnType?: unknown): string | ToolResult | Promise<string | ToolResult>;
}

/**
 * The default converter.
 *
 * - A string is returned unchanged.
 * - `undefined` becomes `Done`. If the method declares a return type, the text says that no value
 *   was returned.
 * - A {@link ToolResult} is returned unchanged.
 * - The bytes of an image or a Blob become content, with a text that describes it.
 * - Everything else becomes JSON (see {@link toJsonText}).
 */
export class DefaultToolCallResultConverter extends ToolCallResultConverter {
  convert(result: unknown, returnType?: unknown): string | ToolResult | Promise<ToolResult> {
    if (typeof result === 'string') return result;
    if (result === undefined) return wordsForNothing(returnType);
    if (ToolResult.isToolResult(result)) return result;
    checkReadable(result);
    return readBinary(result) ?? toJsonText(result);
  }
}

/** The text for a tool that returned no value. */
function wordsForNothing(returnType: unknown): string {
  // Declared as `void`, or without a type.
  if (returnType === undefined) return 'Done';
  // The type inside a Promise or Observable is unknown. The tool may perform an action, or may
  // have searched and found nothing.
  const isOpen = returnType === Promise || returnType === Observable;
  return isOpen ? 'Done. Nothing was returned.' : 'Nothing was found: the tool returned no value.';
}

/**
 * A model cannot read a function or a stream. Most likely the tool forgot to call it, or to read it
 * to its end. A stream is closed, since nobody reads it.
 *
 * @throws TypeError that says what the tool returned
 */
export function checkReadable(result: unknown): void {
  const kind = unreadableKind(result);
  if (kind === undefined) return;
  closeStream(result);
  throw unreadable(kind);
}

function unreadableKind(result: unknown): string | undefined {
  if (typeof result === 'function') return `a function${nameOf(result)}`;
  if (typeof result === 'symbol') return 'a symbol';
  if (typeof result !== 'object' || result === null) return undefined;
  if (isByteStream(result)) return 'a stream of bytes';
  if (result instanceof Response) return 'a Response';
  return result instanceof StreamableFile ? 'a StreamableFile' : undefined;
}

function closeStream(result: unknown): void {
  const stream =
    result instanceof StreamableFile ? result.getStream() : result instanceof Response ? result.body : result;
  if (stream instanceof ReadableStream) stream.cancel().catch(() => undefined);
  // A file that is not there fails later, and nobody else would handle that error.
  else if (stream instanceof Readable) stream.on('error', () => undefined).destroy();
}

function nameOf(result: unknown): string {
  const { name } = result as { name?: unknown };
  return typeof name === 'string' && name !== '' ? ` (${name})` : '';
}

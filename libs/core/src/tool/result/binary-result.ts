import { types } from 'node:util';
import { describeContentPart, type FilePart, type ImagePart } from '../../model/content-part.js';
import { ToolResult } from '../../model/tool-result.js';

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
export function readBinary(result: unknown): ToolResult | Promise<ToolResult> | undefined {
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

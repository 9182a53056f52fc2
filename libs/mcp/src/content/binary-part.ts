import { type ContentPart, describeContentPart, type FilePart, type ImagePart } from '@nestor-ai/core';

/** The longest image, recording or file of a server that goes to the model, in bytes. */
export const MAX_BINARY_BYTES = 5_000_000;

const MIME_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Binary content of a server. */
export interface BinaryContent {
  /** Base64 text. */
  readonly data: string;
  readonly mimeType: string | undefined;
  /** The file name, if the model should know it. */
  readonly name?: string | undefined;
}

/** Binary content for the model: a part unless it is too long, and words that describe it. */
export interface DescribedBinary {
  readonly text: string;
  readonly part?: ContentPart;
}

/** Converts binary content. The server chooses its type and name, so both are checked. */
export function toBinaryPart({ data, mimeType = UNKNOWN_TYPE, name }: BinaryContent): DescribedBinary {
  const type = MIME_TYPE.test(mimeType) ? mimeType.toLowerCase() : UNKNOWN_TYPE;
  const part: ImagePart | FilePart = type.startsWith('image/')
    ? { type: 'image', mimeType: type, data }
    : { type: 'file', mimeType: type, data, ...(name !== undefined && { name }) };
  const text = describeContentPart(part);
  const bytes = Math.floor((data.length * 3) / 4);
  return bytes > MAX_BINARY_BYTES ? { text: `[${text}: too large to read]` } : { text: `[${text}]`, part };
}

import type { ProviderOptions } from './provider-options.js';

/** A part of mixed content: text, an image or a file. */
export type ContentPart = TextPart | ImagePart | FilePart;

/** A piece of text. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Options for one provider about this part. */
  readonly providerOptions?: ProviderOptions;
}

/** An image. */
export interface ImagePart extends Omit<Media, 'name'> {
  readonly type: 'image';
}

/** A document, a recording or any other file. */
export interface FilePart extends Media {
  readonly type: 'file';
}

/** An attachment of a message: an image, a document or a recording. */
export interface Media {
  /** For example `image/png`. */
  readonly mimeType: string;
  /** The bytes, base64 text, or a URL to fetch them from. */
  readonly data: Uint8Array | string | URL;
  /** The file name, if the model should know it. */
  readonly name?: string;
  /** Options for one provider about this file. */
  readonly providerOptions?: ProviderOptions;
}

/** Describes an image or file in words, for models that cannot read it: `image/png, 12 kB`. */
export function describeContentPart(part: ImagePart | FilePart): string {
  const name = part.type === 'file' && part.name !== undefined ? `${part.name}, ` : '';
  const { data } = part;
  if (data instanceof URL) return `${name}${part.mimeType}, ${data.protocol === 'data:' ? 'inline' : data.href}`;
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : data.byteLength;
  return `${name}${part.mimeType}, ${bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`}`;
}

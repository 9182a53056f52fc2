/** A piece of content that is not plain text, or a piece of text among others. */
export type ContentPart = TextPart | ImagePart | FilePart;

/** A piece of text. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A picture. */
export interface ImagePart {
  readonly type: 'image';
  /** For example `image/png`. */
  readonly mimeType: string;
  /** The bytes, their base64 text, or where they can be fetched. */
  readonly data: Uint8Array | string | URL;
}

/** A document, a recording, or any other file. */
export interface FilePart {
  readonly type: 'file';
  /** For example `application/pdf`. */
  readonly mimeType: string;
  /** The bytes, their base64 text, or where they can be fetched. */
  readonly data: Uint8Array | string | URL;
  /** The name of the file, where the model should know it. */
  readonly name?: string;
}

/** Something other than text that belongs to a message: an image, a document, a recording. */
export interface Media {
  /** For example `image/png`. */
  readonly mimeType: string;
  /** The bytes, their base64 text, or where they can be fetched. */
  readonly data: Uint8Array | string | URL;
  readonly name?: string;
}

/** A picture or file in words, for who cannot take it: `image/png, 12 kB`. */
export function describeContentPart(part: ImagePart | FilePart): string {
  const name = part.type === 'file' && part.name !== undefined ? `${part.name}, ` : '';
  const { data } = part;
  if (data instanceof URL) return `${name}${part.mimeType}, ${data.protocol === 'data:' ? 'inline' : data.href}`;
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : data.byteLength;
  return `${name}${part.mimeType}, ${bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`}`;
}

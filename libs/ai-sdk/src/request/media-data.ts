import type { Media } from '@nestor-ai/core';

const DATA_URL = /^data:[^,]*?(;base64)?,(.*)$/is;
const IS_DATA_URL = /^data:/i;
const WEB_URL = /^https?:\/\//i;

/**
 * The data of a file as models take it: bytes, base64 text, the id of an uploaded file, or a URL of
 * another machine. A `data:` URL becomes base64 text. Undefined if it cannot be read.
 */
export function readMediaData(data: Media['data']): Media['data'] | undefined {
  if (data instanceof Uint8Array) return data;
  if (typeof data === 'string') {
    if (WEB_URL.test(data) && URL.canParse(data)) return new URL(data);
    return IS_DATA_URL.test(data) ? fromDataUrl(data) : data;
  }
  return data.protocol === 'data:' ? fromDataUrl(data.href) : data;
}

/** Whether a file is at a URL of another machine. */
export function isRemote(data: Media['data']): boolean {
  if (typeof data === 'string') return WEB_URL.test(data);
  return data instanceof URL && data.protocol !== 'data:';
}

/** The data of a file as text, in base64. */
export function base64(data: Uint8Array | string): string {
  return typeof data === 'string'
    ? data
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

function fromDataUrl(url: string): string | undefined {
  const [, isBase64, content] = DATA_URL.exec(url) ?? [];
  if (content === undefined) return undefined;
  try {
    const text = decodeURIComponent(content);
    return isBase64 ? text : Buffer.from(text).toString('base64');
  } catch {
    // A broken percent-encoding.
    return undefined;
  }
}

import { BadRequestException } from '@nestjs/common';
import type { Media } from '@nestor-ai/core';
import { readUrl, type UiFileRules } from './file-rules.js';

const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/;
const DATA_URL = /^data:[^,]*?(;base64)?,(.*)$/is;
const BASE64 = /^[\w+/-]+={0,2}$/;

/** Reads the files of one request and checks them against the rules. */
export class UIFileReader {
  readonly #rules: UiFileRules;
  readonly #hosts: ReadonlySet<string>;
  /** The bytes of all files so far. */
  #bytes = 0;

  constructor(rules: UiFileRules) {
    this.#rules = rules;
    this.#hosts = new Set(rules.hosts.map((host) => host.toLowerCase()));
  }

  /**
   * A file from `useChat()`: a data URL, whose bytes are decoded since not every provider accepts
   * one, or a URL that the model server fetches.
   *
   * @throws BadRequestException for a file that is not allowed. The message does not repeat the
   *   URL.
   */
  read(part: Readonly<Record<string, unknown>>, place: string): Media {
    const { url: text, mediaType: given, filename } = part;
    const url = typeof text === 'string' ? readUrl(text) : undefined;
    // A type may have parameters: `text/plain;charset=utf-8`.
    const mediaType = typeof given === 'string' ? given.split(';', 1)[0]!.trim() : '';
    if (!url || !MIME_TYPE.test(mediaType)) {
      throw new BadRequestException(`${place} has a file without a url and a mediaType such as image/png.`);
    }
    this.#checkType(mediaType, place);
    const data = url.protocol === 'data:' ? this.#content(url, place) : this.#fetched(url, place);
    return { mimeType: mediaType, data, ...(typeof filename === 'string' && { name: filename }) };
  }

  #checkType(mediaType: string, place: string): void {
    const { types } = this.#rules;
    const type = mediaType.toLowerCase();
    const family = `${type.split('/')[0]}/*`;
    if (types.some((allowed) => allowed.toLowerCase() === type || allowed.toLowerCase() === family)) return;
    throw new BadRequestException(
      `${place} has a file of the type ${mediaType}. Allowed types: ${types.join(', ') || 'none'}.`,
    );
  }

  #fetched(url: URL, place: string): URL {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new BadRequestException(
        `${place} has a file with a ${url.protocol.slice(0, 20)} url. Allowed are data: urls, and https: urls of the hosts in ai.ui.files.hosts.`,
      );
    }
    // Otherwise a user could make the model server fetch internal addresses.
    const isAllowed = url.protocol === 'https:' && url.username === '' && url.password === '';
    if (isAllowed && this.#hosts.has(url.host)) return url;
    throw new BadRequestException(
      `${place} has a file with a url that is not allowed. Send the file itself as a data: url, or use an https: url of a host in ` +
        'ai.ui.files.hosts.',
    );
  }

  #content({ href }: URL, place: string): string {
    const [, isBase64, content = ''] = DATA_URL.exec(href) ?? [];
    const given = decoded(content, place);
    const text = isBase64 === undefined ? Buffer.from(given).toString('base64') : given;
    if (text === '') throw new BadRequestException(`${place} has a data: url without data.`);
    if (!BASE64.test(text)) throw new BadRequestException(`${place} has a data: url whose data is not base64.`);
    this.#bytes += Buffer.byteLength(text, 'base64');
    const { maxBytes } = this.#rules;
    if (this.#bytes <= maxBytes) return text;
    throw new BadRequestException(
      `${place} has too much data: the files of a request may have at most ${maxBytes} bytes.`,
    );
  }
}

function decoded(text: string, place: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadRequestException(`${place} has a data: url that cannot be read.`);
  }
}

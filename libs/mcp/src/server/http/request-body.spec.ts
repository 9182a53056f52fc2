import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { PayloadTooLargeException } from '@nestjs/common';
import { readBody } from './request-body.js';

const incoming = (headers: Record<string, string> = {}) =>
  Object.assign(Readable.from([]), { headers }) as unknown as IncomingMessage;
const text = 'x'.repeat(50);

describe('the body of a request', () => {
  it('is what the application has parsed', () => {
    const body = { text };
    expect(readBody(incoming(), body, 100)).toEqual({ parsed: body });
  });

  it.each([
    ['its length', { 'content-length': '101' }, { text: '' }],
    ['its size, if it was sent in chunks', {}, { text: text + text }],
    ['its size, if it was compressed', { 'content-length': '20', 'content-encoding': 'gzip' }, { text: text + text }],
    ['its bytes', {}, { text: 'ä'.repeat(50) }],
  ])('is too long by %s', (_, headers, body) => {
    expect(() => readBody(incoming(headers), body, 100)).toThrow(PayloadTooLargeException);
  });

  it.each([['text'], [Buffer.from('text')]])('is left to the SDK if the application has only read it', (body) => {
    expect(readBody(incoming(), body, 2)).toEqual({ unparsed: body });
  });

  it.each([[undefined], [null], [5]])('is read by the SDK if the application has no body: %p', (body) => {
    expect(readBody(incoming(), body, 2).unparsed).toBeInstanceOf(ReadableStream);
  });
});

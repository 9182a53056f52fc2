import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { PayloadTooLargeException } from '@nestjs/common';
import { readBody } from './request-body.js';

const incoming = (headers: Record<string, string> = {}, chunks: readonly Buffer[] = []) =>
  Object.assign(Readable.from(chunks), { headers }) as unknown as IncomingMessage;
const text = 'x'.repeat(50);

describe('the body of a request', () => {
  it('is what the application has parsed', async () => {
    const body = { text };
    expect(await readBody(incoming(), body, 100)).toEqual({ parsed: body });
  });

  it.each([
    ['its length', { 'content-length': '101' }, { text: '' }],
    ['its size, if it was sent in chunks', {}, { text: text + text }],
    ['its size, if it was compressed', { 'content-length': '20', 'content-encoding': 'gzip' }, { text: text + text }],
    ['its bytes', {}, { text: 'ä'.repeat(50) }],
    ['its bytes, if it was only read', {}, JSON.stringify({ text: 'ä'.repeat(50) })],
  ])('is too long by %s', async (_, headers, body) => {
    await expect(readBody(incoming(headers), body, 100)).rejects.toThrow(PayloadTooLargeException);
  });

  it.each([['{"a":1}'], [Buffer.from('{"a":1}')]])('is parsed if the application has only read it', async (body) => {
    expect(await readBody(incoming(), body, 100)).toEqual({ parsed: { a: 1 } });
  });

  it.each([[undefined], [null], [5]])('is read if the application has no body: %p', async (body) => {
    const read = (chunks: string[], maxSize: number) =>
      readBody(
        incoming(
          {},
          chunks.map((chunk) => Buffer.from(chunk)),
        ),
        body,
        maxSize,
      );
    expect(await read(['{"a"', ':1}'], 7)).toEqual({ parsed: { a: 1 } });
    await expect(read(['{"a"', ':1}'], 6)).rejects.toThrow(PayloadTooLargeException);
    expect(await read([], 6)).toEqual({ unparsed: Buffer.alloc(0) });
  });

  it.each(['{', '5', 'null'])('is left to the SDK if it is %s', async (body) => {
    expect(await readBody(incoming(), body, 100)).toEqual({ unparsed: Buffer.from(body) });
  });

  it.each([[undefined], [null], [5]])('is left to the SDK if the application has read it: %p', async (body) => {
    const read = incoming({}, [Buffer.from('…')]);
    await read.toArray();
    expect(await readBody(read, body, 100)).toEqual({ unparsed: Buffer.from(JSON.stringify(body) ?? '') });
  });
});

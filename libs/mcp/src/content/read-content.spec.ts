import { describe, expect, it } from '@jest/globals';
import { MAX_BINARY_BYTES } from './binary-part.js';
import { readContent, readResourceContents } from './read-content.js';

const image = (data: string) => ({ type: 'image', mimeType: 'image/png', data }) as const;

describe('content of a server', () => {
  it('is one text and its parts, in order', () => {
    expect(readContent([{ type: 'text', text: 'a' }, image('AAAA'), { type: 'text', text: 'b' }])).toEqual({
      text: 'a\n[image/png, 3 bytes]\nb',
      parts: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }],
    });
  });

  it('is empty if there is none', () => {
    expect(readContent([])).toEqual({ text: '', parts: [] });
  });

  it('of a type that is not known yet is described', () => {
    const block = { type: 'hologram', data: 'x' } as never;
    expect(readContent([block]).text).toBe('[content of a type that this application does not know]');
  });

  it('that is too large is described', () => {
    const { text, parts } = readContent([image('A'.repeat((MAX_BINARY_BYTES * 4) / 3 + 8))]);
    expect(text).toBe('[image/png, 5000 kB: too large to read]');
    expect(parts).toEqual([]);
  });
});

it('a resource may have text and files', () => {
  const contents = [
    { uri: 'file:///a/b.txt', text: 'B' },
    { uri: 'file:///a/c.bin', blob: 'AAAA' },
  ];
  expect(readResourceContents(contents)).toEqual({
    text: '[resource file:///a/b.txt]\nB\n[resource file:///a/c.bin] [c.bin, application/octet-stream, 3 bytes]',
    parts: [{ type: 'file', mimeType: 'application/octet-stream', data: 'AAAA', name: 'c.bin' }],
  });
});

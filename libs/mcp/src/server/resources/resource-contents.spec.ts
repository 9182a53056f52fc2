import { describe, expect, it } from '@jest/globals';
import { ToolResult } from '@nestor-ai/core';
import { toContents } from './resource-contents.js';

const contentsOf = async (returned: unknown, mimeType?: string) => (await toContents(returned, mimeType)).value;

describe('the contents of a resource', () => {
  it.each([
    ['text', 'a', undefined, [{ mimeType: 'text/plain', text: 'a' }]],
    ['text of the declared type', '# a', 'text/markdown', [{ mimeType: 'text/markdown', text: '# a' }]],
    ['empty text', '', undefined, [{ mimeType: 'text/plain', text: '' }]],
    ['an object', { a: 1 }, undefined, [{ mimeType: 'application/json', text: '{"a":1}' }]],
    ['false', false, undefined, [{ mimeType: 'application/json', text: 'false' }]],
    ['an empty list', [], undefined, [{ mimeType: 'application/json', text: '[]' }]],
    ['a list of texts', ['a'], undefined, [{ mimeType: 'application/json', text: '["a"]' }]],
    [
      'data with a text',
      { id: 1, text: 'a' },
      undefined,
      [{ mimeType: 'application/json', text: '{"id":1,"text":"a"}' }],
    ],
    ['bytes', Uint8Array.of(1, 2), undefined, [{ mimeType: 'application/octet-stream', blob: 'AQI=' }]],
    ['a part of a buffer', Buffer.from([9, 1, 2]).subarray(1), 'image/png', [{ mimeType: 'image/png', blob: 'AQI=' }]],
    ['an ArrayBuffer', Uint8Array.of(1, 2).buffer, undefined, [{ mimeType: 'application/octet-stream', blob: 'AQI=' }]],
    ['a Blob', new Blob(['a'], { type: 'text/css' }), undefined, [{ mimeType: 'text/css', blob: 'YQ==' }]],
    ['one content', { text: '<a>', mimeType: 'text/html' }, 'text/plain', [{ mimeType: 'text/html', text: '<a>' }]],
    [
      'several',
      [{ text: 'a' }, { uri: 'a://b', blob: 'AQI=' }],
      undefined,
      [
        { mimeType: 'text/plain', text: 'a' },
        { uri: 'a://b', mimeType: 'application/octet-stream', blob: 'AQI=' },
      ],
    ],
    ['a ToolResult', new ToolResult({ text: 'a' }), undefined, [{ mimeType: 'text/plain', text: 'a' }]],
    ['nothing', undefined, undefined, undefined],
    ['null', null, undefined, undefined],
  ])('are made of %s', async (_name, returned, mimeType, contents) => {
    expect(await contentsOf(returned, mimeType)).toEqual(contents);
  });

  it('are not made of a function', async () => {
    await expect(toContents(() => 'a', undefined)).rejects.toThrow('a function');
  });
});

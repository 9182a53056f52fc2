import { describe, expect, it } from '@jest/globals';
import { AssistantMessage } from '../model/messages.js';
import { fromMessageJson, toMessageJson } from './message-json.js';

const stored = (message: AssistantMessage): AssistantMessage =>
  fromMessageJson(JSON.parse(JSON.stringify(toMessageJson(message)))) as AssistantMessage;

describe('the answer of a model', () => {
  it('keeps the calls of provider tools, the sources and the files that the model made', () => {
    const answer = {
      text: 'Here.',
      providerToolCalls: [
        { id: 's1', name: 'web_search', arguments: '{"query":"x"}', result: [{ url: 'https://a.example' }] },
        { id: 's2', name: 'code', arguments: '{}', result: 'no', isError: true },
      ],
      sources: [
        { type: 'url' as const, id: '1', url: 'https://a.example', providerMetadata: { p: { cited: 'text' } } },
        { type: 'document' as const, id: '2', title: 'Report', mimeType: 'application/pdf', name: 'r.pdf' },
      ],
    };
    const media = [
      { mimeType: 'image/png', data: new Uint8Array([1, 2, 3]), name: 'a.png' },
      { mimeType: 'image/png', data: new URL('https://a.example/b.png') },
    ];
    const read = stored(new AssistantMessage({ ...answer, media }));
    expect(read).toMatchObject(answer);
    expect(read.media).toEqual([
      { mimeType: 'image/png', data: 'AQID', name: 'a.png' },
      { mimeType: 'image/png', data: new URL('https://a.example/b.png') },
    ]);
  });

  it('loses what JSON cannot have, and no more', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const read = stored(
      new AssistantMessage({
        providerToolCalls: [{ id: 's1', name: 'code', arguments: '{}', result: circular }],
        sources: [{ type: 'url', id: '1', url: 'https://a.example', providerMetadata: circular as never }],
      }),
    );
    expect(read.providerToolCalls).toEqual([{ id: 's1', name: 'code', arguments: '{}' }]);
    expect(read.sources).toEqual([{ type: 'url', id: '1', url: 'https://a.example' }]);
  });
});

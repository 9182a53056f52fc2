import { describe, expect, it } from '@jest/globals';
import { AssistantMessage } from '@nestor-ai/core';
import { SEARCHED, SENT_BACK, signed } from '../../../../test/fake-answers.js';
import { FakeLanguageModel, sentBack, wholeAnswers } from '../../../../test/fake-language-model.js';
import type { ContentItem } from '../specification.js';

describe('an answer that was changed', () => {
  const answer = async (content: ContentItem[] = SEARCHED): Promise<AssistantMessage> =>
    (await wholeAnswers[0]![1](new FakeLanguageModel(content))).result!.output;
  const changed = (message: AssistantMessage, changes: Partial<AssistantMessage>): AssistantMessage =>
    new AssistantMessage(Object.assign({}, message, changes));

  it.each([
    ['name', { name: 'save_note' }, { toolName: 'save_note' }],
    ['id', { id: 'call_2' }, { toolCallId: 'call_2' }],
    ['arguments', { arguments: '{"n":2}' }, { input: { n: 2 } }],
    ['broken arguments', { arguments: '{"n":' }, { input: { invalidArguments: '{"n":' } }],
  ])('keeps its signed reasoning with another %s of a call', async (_what, change, sent) => {
    const message = await answer();
    const call = { ...message.toolCalls[0]!, ...change };
    expect(await sentBack(changed(message, { toolCalls: [call] }))).toEqual([
      ...SENT_BACK.slice(0, -1),
      { ...SENT_BACK.at(-1), ...sent },
    ]);
  });

  it('is sent without a call that was removed, and with one that was added', async () => {
    const call = (id: string): ContentItem => ({ type: 'tool-call', toolCallId: id, toolName: 't', input: '{}' });
    const message = await answer([
      { type: 'reasoning', text: 'R', providerMetadata: signed('r') },
      call('a'),
      call('b'),
    ]);
    const ids = async (toolCalls: readonly { id: string }[]): Promise<unknown[]> =>
      (await sentBack(changed(message, { toolCalls: toolCalls as AssistantMessage['toolCalls'] }))).map((part) =>
        'toolCallId' in part ? part.toolCallId : part.type,
      );
    const [a, b] = message.toolCalls;
    expect(await ids([b!])).toEqual(['reasoning', 'b']);
    expect(await ids([a!, b!, { ...b!, id: 'c' }])).toEqual(['reasoning', 'a', 'b', 'c']);
    expect(await ids([])).toEqual([]);
  });

  it('is sent with its new text in the place of the old one, without the data of the old one', async () => {
    const sent = await sentBack(changed(await answer(), { text: 'Found [redacted].' }));
    expect(sent).toEqual([...SENT_BACK.slice(0, 4), { type: 'text', text: 'Found [redacted].' }, SENT_BACK[5]]);
  });

  it('is sent without the reasoning that only led to the old text', async () => {
    const reasoned: ContentItem[] = [
      { type: 'reasoning', text: 'The key is 4711.', providerMetadata: signed('r') },
      { type: 'text', text: 'It is 4711.', providerMetadata: signed('t') },
    ];
    expect(await sentBack(changed(await answer(reasoned), { text: 'I cannot say.' }))).toEqual([
      { type: 'text', text: 'I cannot say.' },
    ]);
    const searched = await answer(SEARCHED.slice(0, -1));
    expect(await sentBack(changed(searched, { text: 'New.' }))).toEqual([
      ...SENT_BACK.slice(0, 3),
      { type: 'text', text: 'New.' },
    ]);
  });

  it('is sent with a text that it did not have, behind the reasoning at its start', async () => {
    const message = await answer([SEARCHED[0]!, SEARCHED.at(-1)!]);
    expect(await sentBack(changed(message, { text: 'One moment.' }))).toEqual([
      SENT_BACK[0],
      { type: 'text', text: 'One moment.' },
      SENT_BACK.at(-1),
    ]);
  });

  it('is sent with the files that are left', async () => {
    const file = (data: string): ContentItem => ({ type: 'file', mediaType: 'image/png', data });
    const message = await answer([file('AAAA'), { type: 'text', text: 'Two.' }, file('BBBB')]);
    const media = message.media!;
    const sent = (await sentBack(changed(message, { media: media.slice(0, 1) }))).map(({ type }) => type);
    expect(sent).toEqual(['file', 'text']);
    const added = await sentBack(changed(message, { media: [...media, { mimeType: 'image/png', data: 'CCCC' }] }));
    expect(added.at(-1)).toEqual({ type: 'file', mediaType: 'image/png', data: 'CCCC' });
  });

  it('is sent without texts of white space alone, which Anthropic refuses', async () => {
    const call: ContentItem = { type: 'tool-call', toolCallId: 'a', toolName: 't', input: '{}' };
    const reasoned: ContentItem[] = [{ type: 'reasoning', text: 'R', providerMetadata: signed('r') }];
    for (const before of [[], reasoned]) {
      const message = await answer([...before, { type: 'text', text: '\n\n' }, call]);
      expect((await sentBack(message)).map(({ type }) => type)).toEqual([
        ...before.map(({ type }) => type),
        'tool-call',
      ]);
    }
  });

  it('that an earlier version of this package has kept is understood', async () => {
    const aiSdkContent = [
      { type: 'reasoning', text: 'R', providerOptions: signed('r') },
      { type: 'tool-call', toolCallId: '1', toolName: 't', input: '{"a":1}', providerOptions: signed('c') },
    ];
    const toolCalls = [{ id: '1', name: 't', arguments: '{"a":1}' }];
    expect(await sentBack(new AssistantMessage({ toolCalls, metadata: { aiSdkContent } }))).toEqual([
      { type: 'reasoning', text: 'R', providerOptions: signed('r') },
      { type: 'tool-call', toolCallId: '1', toolName: 't', input: { a: 1 }, providerOptions: signed('c') },
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  InMemoryConversationLog,
  type Message,
  SystemMessage,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { validateUIMessages } from 'ai';
import { toUIMessages } from './to-ui-messages.js';

async function turnsOf(...turns: readonly (readonly Message[])[]) {
  const log = new InMemoryConversationLog();
  for (const [at, messages] of turns.entries()) await log.append('c', `turn-${at}`, messages);
  return (await log.read('c', { limit: 1000 })).turns;
}

const call = (id: string, name: string, input: object) => ({ id, name, arguments: JSON.stringify(input) });
const WITH_TOOLS = [
  new SystemMessage('Be brief.'),
  new UserMessage('Look'),
  new AssistantMessage({
    text: 'Let me look.',
    toolCalls: [call('1', 'look', { at: 'secret' }), call('2', 'ask', {})],
  }),
  new ToolResponseMessage({
    responses: [
      { id: '1', name: 'look', responseData: '{"found":"secret"}' },
      { id: '2', name: 'ask', responseData: 'secret failure', isError: true },
    ],
  }),
  new AssistantMessage('It is there.'),
];

describe('the messages of useChat()', () => {
  it('have the ids of their turns, and no system messages and summaries', async () => {
    const log = new InMemoryConversationLog();
    await log.append('c', 'a', [new SystemMessage('Be brief.'), new UserMessage('Hi'), new AssistantMessage('Hello')]);
    await log.append('c', 'b', [new UserMessage('So far?'), new AssistantMessage('Greetings')], { pin: 'summary' });
    await log.append('c', 'd', [new UserMessage('Bye')]);
    expect(toUIMessages((await log.read('c', { limit: 9 })).turns)).toEqual([
      { id: 'a:0', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello' }] },
      { id: 'd:0', role: 'user', parts: [{ type: 'text', text: 'Bye' }] },
    ]);
  });

  it('show that tools were called, and neither their arguments nor their results', async () => {
    const [, answer] = toUIMessages(await turnsOf(WITH_TOOLS));
    const hidden = { hidden: true };
    expect(answer!.parts).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-look', toolCallId: '1', state: 'output-available', input: hidden, output: hidden },
      { type: 'tool-ask', toolCallId: '2', state: 'output-error', input: hidden, errorText: 'The tool has failed.' },
      { type: 'step-start' },
      { type: 'text', text: 'It is there.' },
    ]);
  });

  it('show contents of calls to a page that may see them', async () => {
    const turns = await turnsOf(WITH_TOOLS);
    const shown = toUIMessages(turns, { content: 'all', errors: 'message' });
    expect(JSON.stringify(shown)).toMatch(/"at":"secret".*"found":"secret".*"errorText":"secret failure"/);
    expect(JSON.stringify(toUIMessages(turns, { content: 'input' }))).not.toContain('found');
  });

  it('are those that the AI SDK expects', async () => {
    const media = [
      { mimeType: 'image/png', data: new Uint8Array([1, 2]), name: 'dot.png' },
      { mimeType: 'image/png', data: new URL('https://example.com/a.png') },
    ];
    const sources = [
      { type: 'url' as const, id: 's1', url: 'https://example.com', title: 'Example' },
      { type: 'document' as const, id: 's2', name: 'a.pdf', mimeType: 'application/pdf' },
    ];
    const turns = await turnsOf(
      WITH_TOOLS,
      [new UserMessage({ text: '', media }), new AssistantMessage({ text: 'A dot', sources })],
      [new UserMessage('Wait'), new AssistantMessage({ text: '', toolCalls: [call('3', 'look', {})] })],
    );
    const messages = toUIMessages(turns);
    await expect(
      validateUIMessages({ messages: JSON.parse(JSON.stringify(messages)) as unknown }),
    ).resolves.toBeDefined();
    expect(messages[2]!.parts).toEqual([
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AQI=', filename: 'dot.png' },
      { type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png' },
    ]);
    expect(messages.at(-1)!.parts.at(-1)).toMatchObject({ type: 'tool-look', state: 'output-error' });
  });

  it('have different ids if a store has a whole conversation as one turn', async () => {
    const all = ['a', 'b', 'c'].flatMap((text) => [new UserMessage(text), new AssistantMessage(text)]);
    const ids = toUIMessages(await turnsOf(all)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
  });
});

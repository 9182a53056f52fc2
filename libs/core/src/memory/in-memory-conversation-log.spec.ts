import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { AssistantMessage, type Message, SystemMessage, ToolResponseMessage, UserMessage } from '../model/messages.js';
import { InMemoryConversationLog } from './in-memory-conversation-log.js';
import { windowOf, withAdded } from './message-window.js';
import { MessageWindowChatMemory } from './message-window-chat-memory.js';

const said = (...texts: string[]): Message[] => texts.map((text) => new UserMessage(text));
const called = (id: string): Message[] => [
  new AssistantMessage({ toolCalls: [{ id, name: 'tool', arguments: '{}' }] }),
  new ToolResponseMessage({ responses: [{ id, name: 'tool', responseData: id }] }),
];

/** A turn: with calls, without an answer yet, with instructions, or only a part. */
const turns = fc.array(
  fc.oneof(
    fc
      .nat(3)
      .map((calls) => [
        ...said('question'),
        ...Array.from({ length: calls }, (_, at) => called(`${at}`)).flat(),
        new AssistantMessage('answer'),
      ]),
    fc.nat(3).map((calls) => [...said('open'), ...Array.from({ length: calls }, (_, at) => called(`${at}`)).flat()]),
    fc.uuid().map((rule) => [new SystemMessage(rule), ...said('question')]),
    fc.constantFrom<Message[]>(said('alone'), [new AssistantMessage('alone')]),
  ),
  { maxLength: 30 },
);

const maxMessages = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined });
const maxTokens = fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined });
const DEFAULT_SIZE = { messages: 20, tokens: Infinity };

describe('a memory on a log', () => {
  it('gives the window of all that was ever said, although it reads pages', async () => {
    await fc.assert(
      fc.asyncProperty(turns, maxMessages, maxTokens, async (added, messages, tokens) => {
        const log = new InMemoryConversationLog();
        const memory = new MessageWindowChatMemory({ log, maxMessages: messages, maxTokens: tokens });
        for (const turn of added) await memory.add('c', turn);
        const all = added.reduce<readonly Message[]>(withAdded, []);
        const wanted = windowOf(all, { messages: messages ?? Infinity, tokens: tokens ?? Infinity });
        expect(await memory.get('c')).toEqual(messages || tokens ? wanted : windowOf(all, DEFAULT_SIZE));
      }),
      { seed: 41, numRuns: 500 },
    );
  });

  it('keeps instructions that the log in memory would have deleted', async () => {
    const log = new InMemoryConversationLog({ maxMessages: 2 });
    const memory = new MessageWindowChatMemory({ log, maxMessages: 3 });
    await memory.add('c', [new SystemMessage('Be brief.'), ...said('a')]);
    for (const text of ['b', 'c', 'd']) await memory.add('c', said(text));
    expect(await memory.get('c')).toMatchObject([{ text: 'Be brief.' }, { text: 'c' }, { text: 'd' }]);
    expect((await log.read('c', { limit: 100 })).turns).toHaveLength(3);
  });
});

describe('the log in memory', () => {
  it.each([{ maxConversations: 0 }, { maxMessages: 1.5 }])('refuses %j', (options) => {
    expect(() => new InMemoryConversationLog(options)).toThrow(/^max\w+ must be a whole number greater than 0/);
  });

  it('deletes the conversation that was used least recently', () => {
    const log = new InMemoryConversationLog({ maxConversations: 2 });
    for (const id of ['a', 'b']) log.append(id, 'turn', said(id));
    log.read('a', { limit: 1 });
    log.append('c', 'turn', said('c'));
    expect(log.list()).toEqual(['a', 'c']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { concat, lastValueFrom, map, type Observable, of, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { ScriptedChatModel } from '@nestor-ai/testing';
import type { StreamAdvisor } from './advisor.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import { MessageChatMemoryAdvisor } from './message-chat-memory-advisor.js';

const said = (text: string): ChatClientResponse => ({
  context: {},
  chatResponse: new ChatResponse({ results: [{ output: new AssistantMessage(text) }] }),
});

type Change = (chunks: Observable<ChatClientResponse>) => Observable<ChatClientResponse>;

/** An advisor around the loop whose chunks have no round number. */
const changing = (change: Change): StreamAdvisor => ({
  name: 'Changing',
  order: MessageChatMemoryAdvisor.DEFAULT_ORDER + 50,
  adviseStream: (request, chain) => change(chain.nextStream(request)),
});

const TRAILER: ChatClientResponse = {
  context: {},
  chatResponse: new ChatResponse({ results: [], metadata: { traceId: 'x' } }),
};

describe('a stream to which an advisor adds chunks of its own', () => {
  it.each<[string, Change, string]>([
    ['before it', (chunks) => concat(of(said('Note: ')), chunks), 'Note: The secret answer'],
    ['behind it', (chunks) => concat(chunks, of(said(' (No advice.)'))), 'The secret answer (No advice.)'],
    ['in the place of some', (chunks) => chunks.pipe(map(withoutSecret)), 'The *** answer'],
    ['without text', (chunks) => concat(chunks, of(TRAILER)), 'The secret answer'],
  ])('is remembered as it was sent: %s', async (_where, change, text) => {
    const memory = new MessageWindowChatMemory();
    const client = ChatClient.builder(new ScriptedChatModel(['The secret answer']))
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: memory }), changing(change), (a) =>
        a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    const pieces = await lastValueFrom(client.prompt('Hi').stream().content().pipe(toArray()));
    expect(pieces.join('')).toBe(text);
    expect((await memory.get('c')).at(-1)).toMatchObject({ role: 'assistant', text });
  });

  it('becomes the entity that all chunks form together', async () => {
    const rebuilt = map((chunk: ChatClientResponse) => (chunk.chatResponse?.text === '"x"' ? said('"y"') : chunk));
    const client = ChatClient.builder(new ScriptedChatModel([{ chunks: ['{"a":', '"x"', '}'] }]))
      .defaultAdvisors(changing((chunks) => concat(chunks.pipe(rebuilt), of(TRAILER))))
      .build();
    const schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
    const values = await lastValueFrom(client.prompt('Hi').stream().entity(schema).pipe(toArray()));
    expect(values.at(-1)).toEqual({ a: 'y' });
  });
});

function withoutSecret(chunk: ChatClientResponse): ChatClientResponse {
  return chunk.chatResponse?.text?.includes('secret') ? said('*** ') : chunk;
}

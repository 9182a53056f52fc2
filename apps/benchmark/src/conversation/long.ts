import {
  AssistantMessage,
  ChatClient,
  ChatModel,
  ChatResponse,
  InMemoryConversationLog,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  UserMessage,
} from '@nestor-ai/core';
import type { Observable } from 'rxjs';

class Model extends ChatModel {
  call(): Promise<ChatResponse> {
    return Promise.resolve(new ChatResponse({ results: [{ output: new AssistantMessage('Yes.') }] }));
  }
  stream(): Observable<ChatResponse> {
    throw new Error('Not used');
  }
}

const REQUESTS = 200;
const ROUNDS = 41;

/** A client, and a conversation that already has so many turns. */
function conversationOf(turns: number): () => Promise<unknown> {
  const log = new InMemoryConversationLog({ maxMessages: 1_000_000 });
  for (let n = 0; n < turns; n++)
    log.append('c', `${n}`, [new UserMessage(`Question ${n}`), new AssistantMessage('Yes.')]);
  const memory = new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory({ log }) });
  const client = ChatClient.builder(new Model()).defaultAdvisors(memory).build();
  return () => client.prompt('Is it so?').conversation('c').call().content();
}

/** How much longer a request takes in a conversation of 10,000 turns than in one of ten: the median of many rounds. */
export async function costOfLength(): Promise<number> {
  const [short, long] = [conversationOf(10), conversationOf(10_000)];
  const timeOf = async (ask: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    for (let n = 0; n < REQUESTS; n++) await ask();
    return performance.now() - start;
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in half of the rounds.
    const times =
      round % 2 === 0
        ? [await timeOf(short), await timeOf(long)]
        : [await timeOf(long), await timeOf(short)].toReversed();
    if (round > 4) ratios.push(times[1]! / times[0]!);
  }
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
}

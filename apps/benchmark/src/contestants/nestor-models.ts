import {
  AssistantMessage,
  ChatModel,
  ChatResponse,
  type Message,
  offeredToolDefinitions,
  type Prompt,
  type ToolCall,
} from '@nestor-ai/core';
import { Observable, type Subscriber } from 'rxjs';
import { ARGUMENTS, chunkText, FINAL, nextLoop, type StreamWork, TOOL, type TurnWork } from '../work.js';

/** How many results there are since the user spoke. */
function resultsOf(messages: readonly Message[]): number {
  let count = 0;
  for (let at = messages.length - 1; messages[at]!.role !== 'user'; at--) {
    const message = messages[at]!;
    if (message.role === 'tool') count += message.responses.length;
  }
  return count;
}

const calls = (from: number, count: number): ToolCall[] =>
  Array.from({ length: count }, (_, index) => ({ id: `call_${from + index}`, name: TOOL, arguments: ARGUMENTS }));

/** Whole responses report what they took, as those of every provider do. */
const responseOf = (init: { text?: string; toolCalls?: ToolCall[] }): ChatResponse =>
  new ChatResponse({
    results: [{ output: new AssistantMessage(init) }],
    metadata: { usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
  });

const chunkOf = (init: { text?: string; toolCalls?: ToolCall[] }): ChatResponse =>
  new ChatResponse({ results: [{ output: new AssistantMessage(init) }] });

const lastChunk = (finishReason: string): ChatResponse =>
  new ChatResponse({
    results: [{ output: new AssistantMessage(), metadata: { finishReason } }],
    metadata: { usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
  });

/** Answers at once, in one piece. */
export class TurnModel extends ChatModel {
  constructor(private readonly work: Pick<TurnWork, 'rounds' | 'parallel'>) {
    super();
  }

  async call({ messages, options }: Prompt): Promise<ChatResponse> {
    // What every real model needs first: the definitions to send.
    offeredToolDefinitions(options);
    const done = resultsOf(messages);
    const { rounds, parallel } = this.work;
    return responseOf(done < rounds * parallel ? { toolCalls: calls(done, parallel) } : { text: FINAL });
  }

  stream(): never {
    throw new Error('This model answers in one piece.');
  }
}

/** Answers in chunks, as the generator of the hand-written loop does. */
export class StreamingModel extends ChatModel {
  constructor(private readonly work: StreamWork) {
    super();
  }

  call(): never {
    throw new Error('This model answers in chunks.');
  }

  stream({ messages, options }: Prompt): Observable<ChatResponse> {
    offeredToolDefinitions(options);
    return new Observable((subscriber) => {
      void this.#emit(messages, subscriber).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
    });
  }

  async #emit(messages: readonly Message[], subscriber: Subscriber<ChatResponse>): Promise<void> {
    if (resultsOf(messages) === 0) {
      subscriber.next(chunkOf({ toolCalls: calls(0, 1) }));
      subscriber.next(lastChunk('tool-calls'));
      return;
    }
    const { chunks, isPaced } = this.work;
    for (let index = 0; index < chunks; index++) {
      await (isPaced ? nextLoop() : undefined);
      subscriber.next(chunkOf({ text: chunkText(index) }));
    }
    subscriber.next(lastChunk('stop'));
  }
}

import { ChatModel, ChatResponse, AssistantMessage, type Prompt, type ToolCall } from '@nestor-ai/core';
import { Observable } from 'rxjs';

/** A piece of an answer, as a provider that has lost its mind sends it. */
export interface ChaosChunk {
  readonly text?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finishReason?: string;
  /** The connection breaks. */
  readonly isBroken?: boolean;
}

/** Answers with whatever it is given, round by round; the last round again and again. */
export class ChaosModel extends ChatModel {
  asked = 0;

  constructor(private readonly rounds: readonly (readonly ChaosChunk[])[]) {
    super();
  }

  async call(prompt: Prompt): Promise<ChatResponse> {
    const chunks = this.#next();
    await this.#pause(prompt);
    if (chunks.some(({ isBroken }) => isBroken)) throw new Error('connection lost');
    const toolCalls = chunks.flatMap((chunk) => chunk.toolCalls ?? []);
    return new ChatResponse({
      results: [{ output: new AssistantMessage({ text: chunks.map(({ text }) => text ?? '').join(''), toolCalls }) }],
    });
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      const chunks = this.#next();
      const send = async (): Promise<void> => {
        for (const chunk of chunks) {
          await this.#pause(prompt);
          if (subscriber.closed) return;
          if (chunk.isBroken) throw new Error('connection lost');
          subscriber.next(toResponse(chunk));
        }
        subscriber.complete();
      };
      send().catch((error: unknown) => subscriber.error(error));
    });
  }

  #next(): readonly ChaosChunk[] {
    return this.rounds[Math.min(this.asked++, this.rounds.length - 1)] ?? [];
  }

  async #pause({ options }: Prompt): Promise<void> {
    await Promise.resolve();
    options?.signal?.throwIfAborted();
  }
}

function toResponse({ text = '', toolCalls = [], finishReason }: ChaosChunk): ChatResponse {
  const output = new AssistantMessage({ text, toolCalls });
  return new ChatResponse({ results: [{ output, ...(finishReason && { metadata: { finishReason } }) }] });
}

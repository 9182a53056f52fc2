import { AssistantMessage, ChatModel, ChatResponse, type Prompt, type ToolCall } from '@nestor-ai/core';
import { Observable } from 'rxjs';
import type { Random } from './random.js';

/** What a provider does with a request that asks for it, and how often. */
const MOODS = {
  answers: 50,
  isSlow: 10,
  asksForTools: 40,
  fails: 4,
  breaksOff: 2,
  waitsForTheSignal: 1,
  neverAnswers: 1,
} as const;

/** A request with this text is answered in the end: its caller cannot leave. */
export const BRIEF = 'Be brief.';

const BRIEF_MOODS = { ...MOODS, waitsForTheSignal: 0, neverAnswers: 0 };

const TOOLS = {
  lookUp: 30,
  throws: 8,
  hangs: 3,
  ignoresItsSignal: 5,
  isHuge: 3,
  transfer: 8,
  doesNotExist: 5,
} as const;

const BROKEN_ARGUMENTS = ['', '{', '{"id": "x', 'null', '[1]', '{"id":{"id":{}}}', '{"__proto__":{"id":1}}', '"id"'];

/** A model on its worst day: it answers, asks for tools, writes broken JSON, is slow, fails, breaks off, or never answers. */
export class ChaosChatModel extends ChatModel {
  #calls = 0;

  constructor(private readonly random: Random) {
    super();
  }

  async call(prompt: Prompt): Promise<ChatResponse> {
    const chunks: AssistantMessage[] = [];
    for await (const chunk of this.#answer(prompt)) chunks.push(chunk);
    return toResponse({
      text: chunks.map(({ text }) => text).join(''),
      toolCalls: chunks.flatMap(({ toolCalls }) => toolCalls),
    });
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      const send = async (): Promise<void> => {
        for await (const chunk of this.#answer(prompt)) {
          if (subscriber.closed) return;
          subscriber.next(toResponse(chunk));
        }
        subscriber.complete();
      };
      send().catch((error: unknown) => subscriber.error(error));
    });
  }

  async *#answer({ messages, options }: Prompt): AsyncGenerator<AssistantMessage> {
    const signal = options?.signal;
    const moods = messages.some((message) => message.role === 'user' && message.text === BRIEF) ? BRIEF_MOODS : MOODS;
    const mood = this.random.pick(messages.at(-1)?.role === 'tool' ? { ...moods, asksForTools: 15 } : moods);
    yield new AssistantMessage('Let me see. ');
    if (mood === 'neverAnswers') await new Promise(() => undefined);
    if (mood === 'waitsForTheSignal') await aborted(signal);
    if (mood === 'isSlow') await pause(20 + this.random.below(80), signal);
    if (mood === 'fails') throw new Error('The provider is overloaded.');
    if (mood === 'asksForTools' && options?.toolCallbacks?.length) {
      const toolCalls = Array.from({ length: 1 + this.random.below(4) }, () => this.#toolCall());
      return yield new AssistantMessage({ toolCalls });
    }
    for (let words = this.random.below(5); words > 0; words--) {
      await pause(1, signal);
      yield new AssistantMessage('word '.repeat(1 + this.random.below(20)));
      if (mood === 'breaksOff') throw new Error('The connection is lost.');
    }
    yield new AssistantMessage('Done.');
  }

  #toolCall(): ToolCall {
    const isBroken = this.random.next() < 0.1;
    const id = `${this.#calls++}`;
    return {
      id,
      name: this.random.pick(TOOLS),
      arguments: isBroken ? BROKEN_ARGUMENTS[this.random.below(BROKEN_ARGUMENTS.length)]! : JSON.stringify({ id }),
    };
  }
}

/** Waits, unless the signal is aborted before. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function toResponse(message: Partial<AssistantMessage>): ChatResponse {
  const { text = '', toolCalls = [] } = message;
  return new ChatResponse({ results: [{ output: new AssistantMessage({ text, toolCalls }) }] });
}

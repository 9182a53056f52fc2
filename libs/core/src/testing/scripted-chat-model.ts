import { randomUUID } from 'node:crypto';
import {
  concat,
  concatMap,
  defer,
  delay as wait,
  endWith,
  from,
  fromEvent,
  merge,
  mergeMap,
  type Observable,
  of,
  takeWhile,
  throwError,
} from 'rxjs';
import { FinishReason } from '../model/finish-reason.js';
import { ChatModel } from '../model/chat-model.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import type { Usage } from '../model/usage.js';

/** One answer of a {@link ScriptedChatModel}. */
export interface ScriptedAnswer {
  text?: string;
  /** The tool calls to ask for; see {@link toolCall}. */
  toolCalls?: readonly ToolCall[];
  /** The text in pieces, as a stream gives it. Default: the text word by word. */
  chunks?: readonly string[];
  reasoning?: string;
  /** Default: `tool-calls` with tool calls, else `stop`. */
  finishReason?: string;
  usage?: Usage;
  /** Fails instead of answering; when streaming, after the chunks. */
  error?: unknown;
  /** How long to wait before the answer and between chunks, in milliseconds. */
  delay?: number;
}

/** An answer, its text alone, or a function that makes one of the prompt. */
export type ScriptEntry = string | ScriptedAnswer | ((prompt: Prompt) => string | ScriptedAnswer);

/**
 * A tool call for a script.
 *
 * @param args the arguments: an object, or the text that the model writes, possibly broken JSON
 */
export function toolCall(name: string, args: object | string = {}, id = `call_${randomUUID()}`): ToolCall {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}

/**
 * A model for tests: answers from a script and remembers what it was asked.
 *
 * @example
 * const model = new ScriptedChatModel([
 *   { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
 *   'It is sunny in Paris.',
 * ]);
 */
export class ScriptedChatModel extends ChatModel {
  /** What the model was asked, in order. */
  readonly prompts: Prompt[] = [];
  override readonly defaultOptions: ChatOptions;
  override readonly supportsStructuredOutput: boolean = true;
  readonly #script: readonly ScriptEntry[];

  /** @param options the default options of the model */
  constructor(script: readonly ScriptEntry[], options: ChatOptions = {}) {
    super();
    this.#script = script;
    this.defaultOptions = options;
  }

  /** The last thing the model was asked. */
  get lastPrompt(): Prompt | undefined {
    return this.prompts.at(-1);
  }

  /** The texts of the tool responses in the last prompt, in order. */
  get toolResponses(): string[] {
    return (this.lastPrompt?.messages ?? []).flatMap((message) =>
      message.role === 'tool' ? message.responses.map(({ responseData }) => responseData) : [],
    );
  }

  /** @throws Error when answers of the script were not asked for */
  assertDone(): void {
    if (this.prompts.length === this.#script.length) return;
    throw new Error(
      `The script has ${this.#script.length} answers, but the model was asked ${this.prompts.length} times.`,
    );
  }

  async call(prompt: Prompt): Promise<ChatResponse> {
    const answer = this.#next(prompt);
    const { signal } = prompt.options ?? {};
    signal?.throwIfAborted();
    if (answer.delay) await sleep(answer.delay, signal);
    if (answer.error !== undefined) throw answer.error;
    const text = answer.text ?? answer.chunks?.join('');
    return chunk({ ...answer, ...(text !== undefined && { text }) }, true);
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return defer(() => {
      const answer = this.#next(prompt);
      const { delay, error } = answer;
      const responses = from(error === undefined ? toChunks(answer) : toChunks(answer).slice(0, -1));
      const paced = delay ? responses.pipe(concatMap((response) => of(response).pipe(wait(delay)))) : responses;
      const whole =
        error === undefined
          ? paced
          : concat(
              paced,
              throwError(() => error),
            );
      return untilAborted(whole, prompt.options?.signal);
    });
  }

  #next(prompt: Prompt): ScriptedAnswer {
    const entry = this.#script[this.prompts.length];
    this.prompts.push(prompt);
    if (entry === undefined) {
      throw new Error(
        `The script has ${this.#script.length} answers, but the model was asked ${this.prompts.length} times. ` +
          'Add the answer, or look at `prompts` to see why it was asked.',
      );
    }
    const answer = typeof entry === 'function' ? entry(prompt) : entry;
    return typeof answer === 'string' ? { text: answer } : answer;
  }
}

/** Text in pieces, then the tool calls, then the end. */
function toChunks(answer: ScriptedAnswer): ChatResponse[] {
  const { chunks = answer.text?.match(/\S+\s*|\s+/g) ?? [], reasoning, toolCalls } = answer;
  return [
    ...(reasoning ? [chunk({ reasoning })] : []),
    ...chunks.map((text) => chunk({ text })),
    chunk(
      {
        ...(toolCalls && { toolCalls }),
        ...(answer.finishReason && { finishReason: answer.finishReason }),
        ...(answer.usage && { usage: answer.usage }),
      },
      true,
    ),
  ];
}

function chunk({ text, reasoning, toolCalls, finishReason, usage }: ScriptedAnswer, isEnd = false): ChatResponse {
  const reason = finishReason ?? (toolCalls?.length ? FinishReason.TOOL_CALLS : FinishReason.STOP);
  return new ChatResponse({
    results: [
      {
        output: new AssistantMessage({
          text: text ?? '',
          ...(toolCalls && { toolCalls }),
          ...(reasoning !== undefined && { reasoning }),
        }),
        ...(isEnd && { metadata: { finishReason: reason } }),
      },
    ],
    ...(usage && { metadata: { usage } }),
  });
}

function untilAborted<T>(source: Observable<T>, signal: AbortSignal | undefined): Observable<T> {
  if (!signal) return source;
  const reason = (): unknown => signal.reason;
  if (signal.aborted) return throwError(reason);
  const aborted = fromEvent(signal, 'abort').pipe(mergeMap(() => throwError(reason)));
  return merge(source.pipe(endWith(END)), aborted).pipe(takeWhile((item): item is T => item !== END));
}

const END = Symbol('end');

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timeout);
      reject(signal!.reason as Error);
    };
    const timeout = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

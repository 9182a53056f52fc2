import {
  concat,
  concatMap,
  defer,
  delay as wait,
  endWith,
  firstValueFrom,
  from,
  fromEvent,
  merge,
  mergeMap,
  type Observable,
  of,
  takeWhile,
  throwError,
  timer,
} from 'rxjs';
import { ChatModel, type ChatOptions, type ChatResponse, type Prompt } from '@nestor-ai/core';
import type { AnswerFunction, ScriptedAnswer, ScriptEntry } from './scripted-answer.js';
import { toChunks, toResponse } from './scripted-chunks.js';

/**
 * A model for tests. It answers from a script and records its prompts.
 *
 * @example
 * const model = new ScriptedChatModel([
 *   { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
 *   'It is sunny in Paris.',
 * ]);
 */
export class ScriptedChatModel extends ChatModel {
  /** The prompts that the model received, in order. */
  readonly prompts: Prompt[] = [];
  override readonly defaultOptions: ChatOptions;
  override readonly supportsStructuredOutput: boolean = true;
  /** A scripted error is final, unless the property `ai.model.retry` is set. */
  override readonly retries: number = 0;
  readonly #script: readonly ScriptEntry[] | AnswerFunction;

  /**
   * @param script the answers in order, or a function that answers every prompt
   * @param options the default options of the model
   */
  constructor(script: readonly ScriptEntry[] | AnswerFunction, options: ChatOptions = {}) {
    super();
    this.#script = script;
    this.defaultOptions = options;
  }

  /** The last prompt that the model received. */
  get lastPrompt(): Prompt | undefined {
    return this.prompts.at(-1);
  }

  /** The texts of the tool responses in the last prompt, in order. */
  get toolResponses(): string[] {
    return (this.lastPrompt?.messages ?? []).flatMap((message) =>
      message.role === 'tool' ? message.responses.map(({ responseData }) => responseData) : [],
    );
  }

  /** @throws Error if the script has unused answers */
  assertDone(): void {
    const script = this.#script;
    if (typeof script === 'function' || this.prompts.length === script.length) return;
    throw new Error(`The script has ${script.length} answers, but the model was called ${this.prompts.length} times.`);
  }

  async call(prompt: Prompt): Promise<ChatResponse> {
    const answer = this.#next(prompt);
    const { signal } = prompt.options ?? {};
    signal?.throwIfAborted();
    if (answer.delay) await firstValueFrom(untilAborted(timer(answer.delay), signal));
    if (answer.error !== undefined) throw answer.error;
    return toResponse(answer);
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return defer(() => {
      const answer = this.#next(prompt);
      const { delay, error } = answer;
      const responses = from(error === undefined ? toChunks(answer) : toChunks(answer).slice(0, -1));
      const paced = delay ? responses.pipe(concatMap((response) => of(response).pipe(wait(delay)))) : responses;
      const failure = throwError(() => error);
      const whole = error === undefined ? paced : concat(paced, failure);
      return untilAborted(whole, prompt.options?.signal);
    });
  }

  #next(prompt: Prompt): ScriptedAnswer {
    const script = this.#script;
    const entry = typeof script === 'function' ? script : script[this.prompts.length];
    this.prompts.push(prompt);
    if (entry === undefined) {
      throw new Error(
        `The script has ${script.length} answers, but the model was called ${this.prompts.length} times. ` +
          'Add the answer, or look at `prompts` to see why it was asked.',
      );
    }
    const answer = typeof entry === 'function' ? entry(prompt) : entry;
    return typeof answer === 'string' ? { text: answer } : answer;
  }
}

function untilAborted<T>(source: Observable<T>, signal: AbortSignal | undefined): Observable<T> {
  if (!signal) return source;
  const reason = (): unknown => signal.reason;
  if (signal.aborted) return throwError(reason);
  const aborted = fromEvent(signal, 'abort').pipe(mergeMap(() => throwError(reason)));
  return merge(aborted, source.pipe(endWith(END))).pipe(takeWhile((item): item is T => item !== END));
}

const END = Symbol('end');

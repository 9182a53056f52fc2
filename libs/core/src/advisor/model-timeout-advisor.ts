import { Observable, takeWhile } from 'rxjs';
import { forManyListeners, onAbort } from '../model/aborts.js';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import { ModelTimeoutException, type ModelTimeoutKind } from '../model/model-timeout.exception.js';
import { Prompt } from '../model/prompt.js';
import { checkTimeout } from '../tool/check-timeout.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { checkAdvisorOrder } from './ordered.js';

/** The options of {@link ModelTimeoutAdvisor}: how long a model may take, in milliseconds. What is left out is not limited. */
export interface ModelTimeoutAdvisorOptions {
  /** Until the answer is complete, in one piece or in chunks. */
  timeout?: number | undefined;
  /** Of a stream, until its first chunk. */
  firstChunkTimeout?: number | undefined;
  /** Of a stream, from one chunk to the next, or to its end. */
  chunkTimeout?: number | undefined;
  /** Default: {@link ModelTimeoutAdvisor.DEFAULT_ORDER}, inside of retries and fallbacks, so that each try has its time. */
  order?: number;
}

/**
 * Limits how long a model may take. When the time is up, the signal in the options of the prompt is aborted, and the call fails with a
 * {@link ModelTimeoutException}, which is retryable: a `ModelRetryAdvisor` asks again, a `FallbackModelAdvisor` asks another model. Each
 * try and each model of a fallback has its own time.
 */
export class ModelTimeoutAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.ModelTimeoutAdvisor;

  readonly name = 'Model Timeout Advisor';
  readonly isOfEachModel = true;
  readonly order: number;
  readonly #options: ModelTimeoutAdvisorOptions;

  /** @throws RangeError naming the time that is not a number of milliseconds that a timer can wait */
  constructor(options: ModelTimeoutAdvisorOptions = {}) {
    const { timeout, firstChunkTimeout, chunkTimeout } = options;
    for (const [name, limit] of Object.entries({ timeout, firstChunkTimeout, chunkTimeout })) checkTimeout(limit, name);
    this.order = checkAdvisorOrder(options.order ?? ModelTimeoutAdvisor.DEFAULT_ORDER);
    this.#options = { timeout, firstChunkTimeout, chunkTimeout };
  }

  /** The options made fluent: `ModelTimeoutAdvisor.builder().timeout(30_000).build()`. */
  static builder<Class extends MadeOfOptions<ModelTimeoutAdvisor>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const { timeout } = this.#options;
    if (timeout === undefined) return chain.nextCall(request);
    return new Promise((resolve, reject) => {
      const call = new TimedCall(request, reject);
      call.limitWhole(timeout);
      const end = (): void => call.end();
      const answer = chain.nextCall(call.request);
      answer.then(resolve, reject);
      answer.then(end, end);
    });
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    const { timeout, firstChunkTimeout, chunkTimeout } = this.#options;
    return new Observable((subscriber) => {
      const call = new TimedCall(request, (reason) => subscriber.error(reason));
      subscriber.add(() => call.leave());
      call.limitWhole(timeout);
      call.limitWait('firstChunkTimeout', firstChunkTimeout);
      if (subscriber.closed) return;
      // A source that sends everything at once is stopped by what it sends next.
      const chunks = chain.nextStream(call.request).pipe(takeWhile(() => !subscriber.closed));
      const listening = chunks.subscribe({
        next: (chunk) => {
          // The time that the subscriber takes for a chunk is not that of the model.
          call.endWait();
          subscriber.next(chunk);
          if (!subscriber.closed) call.limitWait('chunkTimeout', chunkTimeout);
        },
        error: (error: unknown) => {
          call.end();
          subscriber.error(error);
        },
        complete: () => {
          call.end();
          subscriber.complete();
        },
      });
      subscriber.add(listening);
    });
  }
}

/** One call of a model, with a signal of its own. */
class TimedCall {
  readonly #controller = new AbortController();
  readonly #release: (() => void) | undefined;
  #whole: NodeJS.Timeout | undefined;
  #wait: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @param fail told why the call is aborted: a time is up, or the signal of the request is aborted */
  constructor(
    private readonly asked: ChatClientRequest,
    private readonly fail: (reason: unknown) => void,
  ) {
    const { signal } = asked.prompt.options ?? {};
    this.#release = signal && onAbort(signal, (reason) => this.#abort(reason));
  }

  /** The request with the signal of this call, which is aborted with that of the request, too. */
  get request(): ChatClientRequest {
    const { messages, options } = this.asked.prompt;
    const { signal } = this.#controller;
    return { ...this.asked, prompt: Prompt.of(messages, { ...options, signal: forManyListeners(signal) }) };
  }

  limitWhole(limit: number | undefined): void {
    this.#whole = this.#timer('timeout', limit);
  }

  limitWait(kind: ModelTimeoutKind, limit: number | undefined): void {
    this.#wait = this.#timer(kind, limit);
  }

  endWait(): void {
    clearTimeout(this.#wait);
  }

  /** Nobody waits for the call any longer. */
  leave(): void {
    if (this.#hasEnded) return;
    const { signal } = this.asked.prompt.options ?? {};
    this.end();
    this.#controller.abort(
      signal?.aborted ? signal.reason : new DOMException('The stream was unsubscribed.', 'AbortError'),
    );
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#whole);
    clearTimeout(this.#wait);
    this.#release?.();
  }

  #timer(kind: ModelTimeoutKind, limit = Number.POSITIVE_INFINITY): NodeJS.Timeout | undefined {
    if (limit === Number.POSITIVE_INFINITY || this.#hasEnded) return undefined;
    return setTimeout(() => this.#abort(new ModelTimeoutException(kind, limit)), limit);
  }

  #abort(reason: unknown): void {
    this.end();
    this.#controller.abort(reason);
    this.fail(reason);
  }
}

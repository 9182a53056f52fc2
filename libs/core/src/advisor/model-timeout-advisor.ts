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

/**
 * The options of {@link ModelTimeoutAdvisor}: time limits in milliseconds. An option that you
 * leave out sets no limit.
 */
export interface ModelTimeoutAdvisorOptions {
  /** The limit until the answer is complete, for calls and streams. */
  timeout?: number | undefined;
  /** The limit until the first chunk of a stream. */
  firstChunkTimeout?: number | undefined;
  /** The limit between two chunks of a stream, and from the last one to its end. */
  chunkTimeout?: number | undefined;
  /**
   * Default: {@link ModelTimeoutAdvisor.DEFAULT_ORDER}, inside retries and fallbacks, so that each
   * attempt has the full time.
   */
  order?: number;
}

/**
 * Limits how long a model may take. When the time is up, the `signal` in the prompt's options is
 * aborted, and the call fails with a retryable {@link ModelTimeoutException}. Each attempt of an
 * advisor that asks again, and each model of a `FallbackModelAdvisor`, has the full time.
 */
export class ModelTimeoutAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.ModelTimeoutAdvisor;

  readonly name = 'Model Timeout Advisor';
  readonly isOfEachModel = true;
  readonly order: number;
  readonly #options: ModelTimeoutAdvisorOptions;

  /** @throws RangeError that names the invalid time: a timer cannot wait that long */
  constructor(options: ModelTimeoutAdvisorOptions = {}) {
    const { timeout, firstChunkTimeout, chunkTimeout } = options;
    for (const [name, limit] of Object.entries({ timeout, firstChunkTimeout, chunkTimeout })) checkTimeout(limit, name);
    this.order = checkAdvisorOrder(options.order ?? ModelTimeoutAdvisor.DEFAULT_ORDER);
    this.#options = { timeout, firstChunkTimeout, chunkTimeout };
  }

  /** A builder for the options: `ModelTimeoutAdvisor.builder().timeout(30_000).build()`. */
  static builder<Class extends MadeOfOptions<ModelTimeoutAdvisor>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  /** The limits of a request. Default: those of the options. */
  protected limitsOf(_request: ChatClientRequest): Omit<ModelTimeoutAdvisorOptions, 'order'> {
    return this.#options;
  }

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const { timeout } = this.limitsOf(request);
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
    const { timeout, firstChunkTimeout, chunkTimeout } = this.limitsOf(request);
    return new Observable((subscriber) => {
      const call = new TimedCall(request, (reason) => subscriber.error(reason));
      subscriber.add(() => call.leave());
      call.limitWhole(timeout);
      call.limitWait('firstChunkTimeout', firstChunkTimeout);
      if (subscriber.closed) return;
      // Stops a source that sends everything at once.
      const chunks = chain.nextStream(call.request).pipe(takeWhile(() => !subscriber.closed));
      const listening = chunks.subscribe({
        next: (chunk) => {
          // The subscriber's time for a chunk does not count.
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

/** One call of a model with its own abort signal. */
class TimedCall {
  readonly #controller = new AbortController();
  readonly #release: (() => void) | undefined;
  #whole: NodeJS.Timeout | undefined;
  #wait: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /**
   * @param fail called with the reason of the abort: a time is up, or the request's signal is
   *   aborted
   */
  constructor(
    private readonly asked: ChatClientRequest,
    private readonly fail: (reason: unknown) => void,
  ) {
    const { signal } = asked.prompt.options ?? {};
    this.#release = signal && onAbort(signal, (reason) => this.#abort(reason));
  }

  /** The request with the signal of this call. The request's own signal aborts it too. */
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

  /** Called when the subscriber has left. */
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

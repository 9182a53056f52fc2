import { Observable, type Subscription } from 'rxjs';
import { retry, type Retrying } from '../execution/retry.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { saysSomething } from './says-something.js';
import { checkAdvisorOrder, Ordered } from './ordered.js';

/** The options of {@link ModelRetryAdvisor}. */
export interface ModelRetryAdvisorOptions {
  /** How often the model is asked again. Default: 2. */
  retries?: number;
  /** How long to wait before the first time, in milliseconds; doubled each time, with some chance. Default: 500. */
  minDelay?: number;
  /** The longest wait, in milliseconds. A provider that asks for a longer one (`Retry-After`) is not asked again. Default: 30000. */
  maxDelay?: number;
  /** Which errors are worth it. Default: status 408, 409, 429, 5xx, and what the model calls retryable. */
  shouldRetry?: (error: unknown) => boolean;
  /** Default: {@link ModelRetryAdvisor.DEFAULT_ORDER}, next to the model, so that no tool runs again. */
  order?: number;
}

const WORTH_IT: ReadonlySet<number> = new Set([408, 409, 429]);

/**
 * Asks the model again after an error that may pass. A provider that says how long to wait (`Retry-After`) is obeyed. A stream is
 * begun again only while nothing of it has come: no text is ever told twice.
 */
export class ModelRetryAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

  readonly name = 'Model Retry Advisor';
  readonly order: number;
  readonly #retrying: Omit<Retrying, 'signal'>;

  /** @throws RangeError when a number is not allowed */
  constructor(options: ModelRetryAdvisorOptions = {}) {
    const { retries = 2, minDelay = 500, maxDelay = 30_000, shouldRetry = isPassing } = options;
    if (!Number.isInteger(retries) || retries < 0)
      throw new RangeError(`retries must be 0 or more, but is ${retries}.`);
    if (!(minDelay >= 0 && maxDelay >= minDelay)) {
      throw new RangeError(
        `minDelay and maxDelay must be 0 or more, and in this order, but are ${minDelay} and ${maxDelay}.`,
      );
    }
    this.order = checkAdvisorOrder(options.order ?? ModelRetryAdvisor.DEFAULT_ORDER);
    this.#retrying = {
      retries,
      minDelay,
      maxDelay,
      shouldRetry: (error) => shouldRetry(error) && (retryAfterOf(error) ?? 0) <= maxDelay,
      delayAfter: retryAfterOf,
    };
  }

  static builder(): FluentBuilder<ModelRetryAdvisorOptions, ModelRetryAdvisor> {
    return fluentBuilder((options: ModelRetryAdvisorOptions) => new ModelRetryAdvisor(options));
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const rest = chain.copy(this);
    return retry(() => rest.nextCall(request), this.#with(request.prompt.options?.signal));
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    const rest = chain.copy(this);
    return new Observable((subscriber) => {
      const left = new AbortController();
      let running: Subscription | undefined;
      let hasBegun = false;
      const once = (): Promise<void> =>
        new Promise((resolve, reject) => {
          running = rest.nextStream(request).subscribe({
            next: (chunk) => {
              hasBegun ||= saysSomething(chunk.chatResponse);
              subscriber.next(chunk);
            },
            error: reject,
            complete: resolve,
          });
        });
      const { shouldRetry, ...retrying } = this.#with(anySignal(left.signal, request.prompt.options?.signal));
      retry(once, { ...retrying, shouldRetry: (error) => !hasBegun && shouldRetry(error) }).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => {
        left.abort();
        running?.unsubscribe();
      };
    });
  }

  #with(signal: AbortSignal | undefined): Retrying {
    return { ...this.#retrying, ...(signal && { signal }) };
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof ChatModelException)) return false;
  const { httpStatus, isRetryable } = error;
  return isRetryable || (httpStatus !== undefined && (WORTH_IT.has(httpStatus) || httpStatus >= 500));
}

/** How long the provider asks to wait, in milliseconds: in seconds, or until a date. */
function retryAfterOf(error: unknown): number | undefined {
  const headers = error instanceof ChatModelException ? error.responseHeaders : undefined;
  const milliseconds = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function anySignal(left: AbortSignal, caller: AbortSignal | undefined): AbortSignal {
  return caller ? AbortSignal.any([left, caller]) : left;
}

import { retry, type Retrying } from '../execution/retry.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { retryAfterOf } from '../model/retry-after.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { NextHandler } from './next-handler.js';
import { checkAdvisorOrder } from './ordered.js';

/** The options of {@link ModelRetryAdvisor}. */
export interface ModelRetryAdvisorOptions {
  /** How often the model is asked again. Default: 2. */
  retries?: number;
  /** How long to wait before the first time, in milliseconds; doubled each time, with jitter. Default: 500. */
  minDelay?: number;
  /** The longest wait, in milliseconds. A provider that asks for a longer one (`Retry-After`) is not asked again. Default: 30000. */
  maxDelay?: number;
  /** Which errors the model is asked again after. Default: status 408, 409, 429, 5xx, and what the model calls retryable. */
  shouldRetry?: (error: unknown) => boolean;
  /** Default: {@link ModelRetryAdvisor.DEFAULT_ORDER}, next to the model, so that no tool runs again. */
  order?: number;
}

const PASSING_STATUS: ReadonlySet<number> = new Set([408, 409, 429]);

/**
 * Asks the model again after an error that may pass, and obeys a provider that says how long to wait (`Retry-After`). A stream fails
 * once content has gone out, so no text comes twice.
 */
export class ModelRetryAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.ModelRetryAdvisor;

  readonly name = 'Model Retry Advisor';
  override readonly order: number;
  readonly #retrying: Omit<Retrying, 'signal'>;

  /** @throws RangeError when a number is not allowed */
  constructor(options: ModelRetryAdvisorOptions = {}) {
    super();
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

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { signal } = next;
    const { shouldRetry } = this.#retrying;
    return retry(() => next.handle(request), {
      ...this.#retrying,
      shouldRetry: (error) => !next.hasBegun && shouldRetry(error),
      ...(signal && { signal }),
    });
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof ChatModelException)) return false;
  const { httpStatus, isRetryable } = error;
  return isRetryable || (httpStatus !== undefined && (PASSING_STATUS.has(httpStatus) || httpStatus >= 500));
}

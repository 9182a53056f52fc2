import { retry } from '../execution/retry.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { DEFAULT_MODEL_RETRIES, type ModelRetries, modelRetrying } from './model-retrying.js';
import type { NextHandler } from './next-handler.js';
import { checkAdvisorOrder } from './ordered.js';

/** The options of {@link ModelRetryAdvisor}. */
export interface ModelRetryAdvisorOptions {
  /** How many times to ask the model again. Default: 2. */
  retries?: number;
  /**
   * The delay before the first retry, in milliseconds. It doubles each time, with jitter. Default:
   * 500.
   */
  minDelay?: number;
  /**
   * The longest delay, in milliseconds. If the provider asks for a longer one (`Retry-After`), the
   * request fails. Default: 30000.
   */
  maxDelay?: number;
  /**
   * Whether to retry after an error. Default: status 408, 409, 429, 5xx, and errors that the model
   * reports as retryable.
   */
  shouldRetry?: (error: unknown) => boolean;
  /**
   * Default: {@link ModelRetryAdvisor.DEFAULT_ORDER}, next to the model, so that retries never
   * re-run tools.
   */
  order?: number;
}

/**
 * Asks the model again after a temporary error. Waits as long as the provider asks for
 * (`Retry-After`). A stream that fails after content was sent is not retried, so no text is sent
 * twice.
 */
export class ModelRetryAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.ModelRetryAdvisor;

  readonly name = 'Model Retry Advisor';
  override readonly order: number;
  readonly #retrying: ModelRetries;

  /** @throws RangeError if a number is not allowed */
  constructor(options: ModelRetryAdvisorOptions = {}) {
    super();
    const { retries = DEFAULT_MODEL_RETRIES, minDelay = 500, maxDelay = 30_000, shouldRetry } = options;
    if (!Number.isInteger(retries) || retries < 0)
      throw new RangeError(`retries must be 0 or more, but is ${retries}.`);
    if (!(minDelay >= 0 && maxDelay >= minDelay)) {
      throw new RangeError(
        `minDelay must be 0 or more, and maxDelay at least minDelay, but they are ${minDelay} and ${maxDelay}.`,
      );
    }
    this.order = checkAdvisorOrder(options.order ?? ModelRetryAdvisor.DEFAULT_ORDER);
    this.#retrying = modelRetrying({ retries, minDelay, maxDelay, ...(shouldRetry && { shouldRetry }) });
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

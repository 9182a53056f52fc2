import { retry, type Retrying } from '../execution/retry.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { retryAfterOf } from '../model/retry-after.js';

/** How many times Nestor asks a model again by default. */
export const DEFAULT_MODEL_RETRIES = 2;

/** When to ask a model again. */
export interface ModelRetrying {
  readonly retries: number;
  /** The delay before the first retry, in milliseconds. */
  readonly minDelay?: number;
  /** The longest delay, in milliseconds. */
  readonly maxDelay?: number;
  readonly shouldRetry?: (error: unknown) => boolean;
}

/** The completed settings. */
export type ModelRetries = Omit<Retrying, 'shouldRetry'> & { shouldRetry(error: unknown): boolean };

const PASSING_STATUS: ReadonlySet<number> = new Set([408, 409, 429]);

/** Completes the settings. Waits as long as the provider asks for, up to `maxDelay`. */
export function modelRetrying({
  retries,
  minDelay = 500,
  maxDelay = 30_000,
  shouldRetry = isPassing,
}: ModelRetrying): ModelRetries {
  return {
    retries,
    minDelay,
    maxDelay,
    shouldRetry: (error) => shouldRetry(error) && (retryAfterOf(error) ?? 0) <= maxDelay,
    delayAfter: retryAfterOf,
  };
}

/** Whether an error may be gone when the same request is sent again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ChatModelException)) return false;
  const { httpStatus, isRetryable } = error;
  return isRetryable || (httpStatus !== undefined && (PASSING_STATUS.has(httpStatus) || httpStatus >= 500));
}

/**
 * Continues after the first try has failed: waits and runs the function, as often as allowed.
 *
 * @throws the last error
 */
export function retryAfterFailure<T>(failure: unknown, run: () => Promise<T>, retrying: Retrying): Promise<T> {
  let isFirst = true;
  return retry(() => {
    if (!isFirst) return run();
    isFirst = false;
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passed on as it is
    return Promise.reject(failure);
  }, retrying);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../model/awaitable.js';

/** When and how many times to retry. */
export interface Retrying {
  readonly retries: number;
  /** The first delay in milliseconds. */
  readonly minDelay: number;
  /** The longest delay in milliseconds. */
  readonly maxDelay: number;
  readonly shouldRetry: (error: unknown) => Awaitable<boolean>;
  /** The minimum delay after an error that names one, in milliseconds. */
  readonly delayAfter?: (error: unknown) => number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Runs a function until it succeeds, an error is not worth a retry, or no retries are left. Each
 * delay is longer than the last, with jitter, so that many clients do not retry at the same time.
 *
 * @throws the last error
 */
export async function retry<T>(run: () => Promise<T>, retrying: Retrying): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return retryAfter(error, run, retrying);
  }
}

/** Like {@link retry}, when the first try has failed. */
export async function retryAfter<T>(failure: unknown, run: () => Promise<T>, retrying: Retrying): Promise<T> {
  const { retries, minDelay, maxDelay, shouldRetry, delayAfter, signal } = retrying;
  let last = failure;
  for (let retried = 0; ; retried++) {
    // Also for a number of retries that is none.
    if (!(retried < retries) || !(await shouldRetry(last))) throw last;
    const backOff = Math.min(maxDelay, minDelay * 2 ** retried * (1 + Math.random()));
    const delay = backOff + (delayAfter?.(last) ?? 0);
    await sleep(delay, undefined, signal && { signal }).catch(() => undefined);
    signal?.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      last = error;
    }
  }
}

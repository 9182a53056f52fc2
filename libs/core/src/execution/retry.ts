import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
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
  const { retries, minDelay, maxDelay, shouldRetry, delayAfter, signal } = retrying;
  try {
    return await pRetry(
      async () => {
        try {
          return await run();
        } catch (error) {
          // Wrapped, because any value can be thrown, and p-retry does not retry a TypeError.
          throw new FailedTry(error);
        }
      },
      {
        retries,
        minTimeout: minDelay,
        maxTimeout: maxDelay,
        randomize: true,
        ...(signal && { signal }),
        shouldRetry: ({ error }) => shouldRetry(thrownBy(error)),
        onFailedAttempt: async ({ error, retriesLeft }) => {
          const thrown = thrownBy(error);
          const delay = retriesLeft > 0 ? delayAfter?.(thrown) : undefined;
          // An aborted sleep fails with an error of its own.
          if (delay && (await shouldRetry(thrown)))
            await sleep(delay, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
        },
      },
    );
  } catch (error) {
    throw thrownBy(error);
  }
}

class FailedTry extends Error {
  constructor(readonly thrown: unknown) {
    super('failed');
  }
}

function thrownBy(error: unknown): unknown {
  return error instanceof FailedTry ? error.thrown : error;
}

import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import type { Awaitable } from '../model/awaitable.js';

/** When and how often something is tried again. */
export interface Retrying {
  readonly retries: number;
  /** In milliseconds. */
  readonly minDelay: number;
  /** In milliseconds. */
  readonly maxDelay: number;
  readonly shouldRetry: (error: unknown) => Awaitable<boolean>;
  /** How long to wait at least after an error, in milliseconds, where it says so itself. */
  readonly delayAfter?: (error: unknown) => number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Runs something again until it succeeds, is not worth it, or has been tried often enough. Waits longer each time, with
 * some chance, so that many who failed together do not come back together.
 *
 * @throws what was thrown last
 */
export async function retry<T>(run: () => Promise<T>, retrying: Retrying): Promise<T> {
  const { retries, minDelay, maxDelay, shouldRetry, delayAfter, signal } = retrying;
  try {
    return await pRetry(
      async () => {
        try {
          return await run();
        } catch (error) {
          // What is thrown may be anything, and p-retry takes a TypeError for a mistake in the program.
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
          if (delay && (await shouldRetry(thrown))) await sleep(delay, undefined, signal && { signal });
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

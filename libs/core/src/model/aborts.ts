import { setMaxListeners } from 'node:events';

/**
 * Removes the listener limit of a signal. Node.js warns about a leak at more than ten listeners,
 * but each request and each tool that waits for a signal adds one. They remove it when they
 * finish. `fetch()` does the same.
 */
export function forManyListeners(signal: AbortSignal): AbortSignal {
  // Node.js only accepts its own signals here. Others (polyfills) have no limit.
  if (signal instanceof EventTarget) setMaxListeners(Number.POSITIVE_INFINITY, signal);
  return signal;
}

/**
 * Calls back when the signal is aborted, or at once if it already is. Call the returned function
 * to stop listening.
 */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  const listener = (): void => callback(signal.reason);
  if (signal.aborted) listener();
  else forManyListeners(signal).addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * Waits for a result, but no longer than until the signal is aborted. Then it throws the abort
 * reason.
 */
export function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  return unlessAborted(result, (abort) => onAbort(signal, abort));
}

/**
 * Waits for a result until the wait is aborted.
 *
 * @param listen starts listening for the abort and returns a function that stops listening
 */
export function unlessAborted<T>(
  result: Promise<T>,
  listen: (abort: (reason: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = listen(reject);
    // A model or tool written in JavaScript may return a plain value instead of a promise.
    Promise.resolve(result).then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}

/**
 * Waits for a result, but no longer than a time limit.
 *
 * @param limit in milliseconds
 * @throws the error that `late` creates when the time is up
 */
export function inTime<T>(result: Promise<T>, limit: number, late: () => Error): Promise<T> {
  return unlessAborted(result, (giveUp) => {
    const timer = setTimeout(() => giveUp(late()), limit);
    return () => clearTimeout(timer);
  });
}

import { setMaxListeners } from 'node:events';

/**
 * Lets any number of listeners wait for a signal. Node.js takes more than ten for a leak and warns, but a signal has one for each request and
 * tool that waits for it. They leave when they are done. `fetch()` does the same.
 */
export function forManyListeners(signal: AbortSignal): AbortSignal {
  // A signal that Node.js has not made has no limit.
  if (signal instanceof EventTarget) setMaxListeners(Number.POSITIVE_INFINITY, signal);
  return signal;
}

/** Calls back when the signal is aborted, at once if it is already, until the returned function is called. */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  const listener = (): void => callback(signal.reason);
  if (signal.aborted) listener();
  else forManyListeners(signal).addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Waits for a result no longer than until the signal is aborted, and throws the reason then. */
export function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  return unlessAborted(result, (abort) => onAbort(signal, abort));
}

/**
 * Waits for a result unless it is given up before.
 *
 * @param listen hands on what gives it up, and returns what stops listening
 */
export function unlessAborted<T>(
  result: Promise<T>,
  listen: (abort: (reason: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = listen(reject);
    // A model or a tool in JavaScript may forget to be asynchronous.
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
 * Waits for a result no longer than a time.
 *
 * @param limit in milliseconds
 * @throws what `late` makes when the time is up
 */
export function inTime<T>(result: Promise<T>, limit: number, late: () => Error): Promise<T> {
  return unlessAborted(result, (giveUp) => {
    const timer = setTimeout(() => giveUp(late()), limit);
    return () => clearTimeout(timer);
  });
}

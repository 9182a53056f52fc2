/** Calls back when the signal is aborted, at once if it is already, until the returned function is called. */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  const listener = (): void => callback(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
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

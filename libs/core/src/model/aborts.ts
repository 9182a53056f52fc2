/** Calls back when the signal is aborted, at once if it is already, until the returned function is called. */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  const listener = (): void => callback(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Waits for a result no longer than until the signal is aborted, and throws the reason then. */
export async function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  let release!: () => void;
  const aborted = new Promise<never>((_resolve, reject) => {
    release = onAbort(signal, reject);
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    release();
  }
}

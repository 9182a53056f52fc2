import { setImmediate } from 'node:timers/promises';

/** How long a read may go on after an abort until the stream is cancelled nevertheless, in milliseconds. */
const GRACE = 100;

/**
 * Reads a stream until it ends, fails, or the signal is aborted.
 *
 * After an abort the pending read settles first, and the stream is cancelled then: a provider that is cancelled while the abort is
 * failing its own source may leave an unhandled rejection, which ends the process. A stream that does not watch the signal
 * is cancelled after a short while.
 *
 * @param take receives each item
 * @throws what the stream fails with, or what `take` throws
 */
export async function readStream<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
  take: (item: T) => void,
): Promise<void> {
  const reader = stream.getReader();
  // The reader has left, so nobody needs the error of the cancel.
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const cancelLater = (): void => {
    timer = setTimeout(cancel, GRACE);
  };
  if (signal.aborted) cancelLater();
  else signal.addEventListener('abort', cancelLater, { once: true });
  try {
    for (let next = await reader.read(); !next.done && !signal.aborted; next = await reader.read()) take(next.value);
  } finally {
    signal.removeEventListener('abort', cancelLater);
    // The source of the stream may fail later than the read, where items are waiting in between.
    if (signal.aborted) await setImmediate();
    clearTimeout(timer);
    cancel();
  }
}

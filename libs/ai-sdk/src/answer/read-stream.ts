import { setImmediate } from 'node:timers/promises';

/** How long a read may continue after an abort before the stream is cancelled, in milliseconds. */
const GRACE = 100;

/**
 * Reads a stream until it ends, fails, or the signal is aborted.
 *
 * After an abort, it waits for the pending read before it cancels the stream. If a provider's
 * stream is cancelled while the abort is failing its source, an unhandled rejection may end the
 * process. A stream that ignores the signal is cancelled after a short delay.
 *
 * @param take receives each item
 * @throws the error of the stream or of `take`
 */
export async function readStream<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
  take: (item: T) => void,
): Promise<void> {
  const reader = stream.getReader();
  // Reading is over, so the error of the cancellation is irrelevant.
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
    // If items are buffered, the source of the stream may fail later than the read.
    if (signal.aborted) await setImmediate();
    clearTimeout(timer);
    cancel();
  }
}

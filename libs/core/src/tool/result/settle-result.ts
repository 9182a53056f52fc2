import { untilAborted } from '../../model/aborts.js';
import { isObservable, type Observable, Subscription } from 'rxjs';

/** What a tool may give back besides a value. */
type Outcome = unknown;

/**
 * Waits for what a tool returned. Of an Observable or an async iterable the last item is the result,
 * and the ones before it are progress.
 *
 * @param onProgress receives the earlier items as they come
 * @param signal asked for only when there is a stream to stop
 */
export async function settleResult(
  returned: Outcome,
  onProgress: (value: unknown) => void,
  signal: () => AbortSignal,
): Promise<unknown> {
  const value = await returned;
  if (typeof value !== 'object' || value === null) return value;
  if (isObservable(value)) return lastOfObservable(value, onProgress, signal());
  if (Symbol.asyncIterator in value) return lastOf(value as AsyncIterable<unknown>, onProgress, signal());
  return value;
}

async function lastOf(
  items: AsyncIterable<unknown>,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  let last: unknown;
  let any = false;
  try {
    for (;;) {
      const next = await untilAborted(signal, Promise.resolve(iterator.next()));
      if (next.done) return last;
      if (any) onProgress(last);
      last = next.value;
      any = true;
    }
  } catch (error) {
    close(items, iterator);
    throw error;
  }
}

/** Not waited for: what hangs would hang here as well. A stream of Node.js that waits for data is closed by its own method only. */
function close(items: AsyncIterable<unknown> & { destroy?: () => unknown }, iterator: AsyncIterator<unknown>): void {
  try {
    if (typeof items.destroy === 'function') items.destroy();
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  } catch {
    // What fails to be closed has nobody left to tell.
  }
}

function lastOfObservable(
  items: Observable<unknown>,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    let any = false;
    const subscription = new Subscription();
    const end = (settle: () => void): void => {
      settle();
      signal.removeEventListener('abort', stop);
      try {
        subscription.unsubscribe();
      } catch {
        // A teardown that fails has nobody left to tell.
      }
    };
    const stop = (): void => end(() => reject(signal.reason as Error));
    const inner = items.subscribe({
      next: (item) => {
        try {
          if (any) onProgress(last);
        } catch (error) {
          end(() => reject(error));
        }
        last = item;
        any = true;
      },
      error: (error: unknown) => end(() => reject(error)),
      complete: () => end(() => resolve(last)),
    });
    subscription.add(inner);
    if (signal.aborted) stop();
    else if (!inner.closed) signal.addEventListener('abort', stop, { once: true });
  });
}

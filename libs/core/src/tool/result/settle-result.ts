import { untilAborted } from '../../model/aborts.js';
import type { ToolContext } from '../../model/tool-context.js';
import { isObservable, type Observable, Subscription } from 'rxjs';

/** Whether a value comes in items: an Observable, or an async iterable. */
export function isStream(value: unknown): value is AsyncIterable<unknown> | Observable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || isObservable(value);
}

/** Waits for what a tool returned; of a stream, for its last item. */
export async function settleResult(returned: unknown, context: ToolContext): Promise<unknown> {
  const value = await returned;
  return isStream(value) ? settle(value, context) : value;
}

/** Waits for the last item of a stream, which is the result. Those before it are progress. */
export function settle(items: AsyncIterable<unknown> | Observable<unknown>, context: ToolContext): Promise<unknown> {
  const onProgress = (value: unknown): void => context.reportProgress(value);
  return isObservable(items)
    ? lastOfObservable(items, onProgress, context.signal)
    : lastOf(items, onProgress, context.signal);
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

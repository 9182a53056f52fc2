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
  let last: unknown;
  let any = false;
  for await (const item of items) {
    signal.throwIfAborted();
    if (any) onProgress(last);
    last = item;
    any = true;
  }
  return last;
}

function lastOfObservable(
  items: Observable<unknown>,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    let any = false;
    const stop = (): void => {
      subscription.unsubscribe();
      reject(signal.reason as Error);
    };
    const subscription = new Subscription();
    const inner = items.subscribe({
      next: (item) => {
        try {
          if (any) onProgress(last);
        } catch (error) {
          subscription.unsubscribe();
          reject(error);
        }
        last = item;
        any = true;
      },
      error: (error: unknown) => {
        signal.removeEventListener('abort', stop);
        reject(error);
      },
      complete: () => {
        signal.removeEventListener('abort', stop);
        resolve(last);
      },
    });
    subscription.add(inner);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

import { Readable } from 'node:stream';
import { untilAborted } from '../../model/aborts.js';
import { Breather } from '../../model/breather.js';
import type { ToolContext } from '../../model/tool-context.js';
import { isObservable, type Observable, Subscription } from 'rxjs';

/** Emits items. The last one is a result. */
type Items = AsyncIterable<unknown> | Observable<unknown> | Generator;

/** Whether a value emits items: an Observable, an async iterable or a generator. */
export function isStream(value: unknown): value is Items {
  if (typeof value !== 'object' || value === null) return false;
  return (Symbol.asyncIterator in value && !isByteStream(value)) || isObservable(value) || isGenerator(value);
}

function isGenerator(value: object): value is Generator {
  return Symbol.iterator in value && Object.prototype.toString.call(value) === '[object Generator]';
}

async function* itemsOf(generator: Generator): AsyncGenerator {
  yield* generator;
}

/** Whether an object emits bytes or pieces of a text. None of them is a result. */
export function isByteStream(value: object): boolean {
  return value instanceof Readable && !value.readableObjectMode;
}

/** The error for a result that a model cannot read. */
export function unreadable(kind: string): TypeError {
  return new TypeError(`The tool returned ${kind}, which a model cannot read. Return text or data.`);
}

/** Code whose items are no longer needed. It has ended when `closing` settles. */
interface ClosingCode {
  closing: Promise<unknown> | undefined;
}

/** Waits for the result of a tool. For a stream, for its last item. */
export async function settleResult(returned: unknown, context: ToolContext, code?: ClosingCode): Promise<unknown> {
  const value = await returned;
  return isStream(value) ? settle(value, context, code) : value;
}

/** Waits for the last item of a stream, which is the result. Earlier items are progress. */
export function settle(items: Items, context: ToolContext, code?: ClosingCode): Promise<unknown> {
  const onProgress = (value: unknown): void => context.reportProgress(value);
  if (isObservable(items)) return lastOfObservable(items, onProgress, context.signal);
  return lastOf(isGenerator(items) ? itemsOf(items) : items, onProgress, context.signal, code);
}

async function lastOf(
  items: AsyncIterable<unknown>,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
  code: ClosingCode | undefined,
): Promise<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  // A generator may produce items synchronously and never end.
  const breather = new Breather();
  let next: Promise<IteratorResult<unknown>> | undefined;
  let last: unknown;
  let any = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      next = Promise.resolve(iterator.next());
      const item = await untilAborted(signal, next);
      if (item.done) return last;
      // Only its chunks tell what a stream of the web emits.
      if (item.value instanceof Uint8Array && items instanceof ReadableStream) throw unreadable('a stream of bytes');
      if (any) onProgress(last);
      last = item.value;
      any = true;
      if (breather.isDue) await breather.breathe();
    }
  } catch (error) {
    const closing = close(items, iterator);
    if (code) code.closing = Promise.allSettled([next, closing]);
    throw error;
  }
}

/**
 * Tells the producer to stop. Not awaited by the caller, since a producer that hangs would block
 * it. A Node.js stream that waits for data is only closed by its own `destroy()`.
 */
async function close(
  items: AsyncIterable<unknown> & { destroy?: () => unknown },
  iterator: AsyncIterator<unknown>,
): Promise<void> {
  try {
    if (typeof items.destroy === 'function') items.destroy();
    await iterator.return?.();
  } catch {
    // The call is over, so nobody could handle this error.
  }
}

function lastOfObservable(
  items: Observable<unknown>,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let last: unknown;
    let any = false;
    const subscription = new Subscription();
    const end = (settle: () => void): void => {
      settle();
      signal.removeEventListener('abort', stop);
      try {
        subscription.unsubscribe();
      } catch {
        // The call is over, so nobody could handle this error.
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

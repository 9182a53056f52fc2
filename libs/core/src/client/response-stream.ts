import { Observable } from 'rxjs';
import { Breather } from '../model/breather.js';
import { refuseJson } from './returned-request.exception.js';

/**
 * A streamed answer: an Observable that is also an async iterable. It is cold: each subscription
 * and each loop sends the request again.
 *
 * A loop may be slow: chunks are buffered. Leaving the loop aborts the request.
 *
 * @example
 * for await (const text of chatClient.prompt('Tell me a story').stream().content()) {
 *   process.stdout.write(text);
 * }
 */
export class ResponseStream<T> extends Observable<T> implements AsyncIterable<T> {
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    let items: (T | undefined)[] = [];
    let taken = 0;
    // Buffered items are available at once, so a long loop over them would block the event loop.
    const breather = new Breather();
    let waiting: (() => void)[] = [];
    let end: { error?: unknown } | undefined;
    const wake = (): void => {
      const woken = waiting;
      waiting = [];
      for (const resume of woken) resume();
    };
    const finish = (how: { error?: unknown }): void => {
      end = how;
      wake();
    };
    const subscription = this.subscribe({
      next: (item) => {
        items.push(item);
        wake();
      },
      error: (error: unknown) => finish({ error }),
      complete: () => finish({}),
    });
    const iterator: AsyncIterableIterator<T, undefined> = {
      [Symbol.asyncIterator]: () => iterator,
      async next() {
        for (;;) {
          if (taken < items.length) {
            const value = items[taken] as T;
            // Removing the first item of a long array would move all others.
            items[taken++] = undefined;
            if (taken === items.length) [items, taken] = [[], 0];
            if (breather.isDue) await breather.breathe();
            return { done: false, value };
          }
          if (end) {
            const how = end;
            end = {};
            if ('error' in how) throw how.error;
            return { done: true, value: undefined };
          }
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        }
      },
      async return() {
        subscription.unsubscribe();
        items = [];
        taken = 0;
        finish({});
        return { done: true, value: undefined };
      },
    };
    return iterator;
  }

  /** @throws ReturnedRequestException since a stream is no answer */
  toJSON(): never {
    return refuseJson('.call().content() in place of .stream()');
  }
}

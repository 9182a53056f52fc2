import { Observable, type Subscriber } from 'rxjs';
import { Breather } from '../model/breather.js';

/**
 * A stream of an answer: an Observable that is also an async iterable. Cold: each subscription, and each loop over it, makes
 * the request anew.
 *
 * A loop may take its time: what comes meanwhile is kept. Leaving the loop aborts the request.
 *
 * @example
 * for await (const text of chatClient.prompt('Tell me a story').stream().content()) process.stdout.write(text);
 */
export class ResponseStream<T> extends Observable<T> implements AsyncIterable<T> {
  /** A stream of what a source gives, item by item. */
  static from<S, T>(source: Observable<S>, next: (item: S, subscriber: Subscriber<T>) => void): ResponseStream<T> {
    return new ResponseStream((subscriber) =>
      source.subscribe({
        next: (item) => {
          try {
            next(item, subscriber);
          } catch (error) {
            subscriber.error(error);
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    const kept = new KeptItems<T>();
    // What is kept is there at once: a loop over much of it would leave no time for anything else.
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
        kept.add(item);
        wake();
      },
      error: (error: unknown) => finish({ error }),
      complete: () => finish({}),
    });
    const iterator: AsyncIterableIterator<T, undefined> = {
      [Symbol.asyncIterator]: () => iterator,
      async next() {
        for (;;) {
          if (kept.size > 0) {
            const value = kept.take();
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
        kept.clear();
        finish({});
        return { done: true, value: undefined };
      },
    };
    return iterator;
  }
}

/** Items that wait for their reader. To take one from the front of a long array moves all others. */
class KeptItems<T> {
  #items: T[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  take(): T {
    const item = this.#items[this.#taken]!;
    this.#items[this.#taken++] = undefined!;
    if (this.#taken === this.#items.length) this.clear();
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#taken = 0;
  }
}

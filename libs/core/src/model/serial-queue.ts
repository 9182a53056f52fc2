import { untilAborted } from './aborts.js';

/** Runs work with the same key one at a time, in order of arrival. */
export class SerialQueue {
  /** The end of the queue of each key. */
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Waits until all earlier work with the same key is done.
   *
   * @param signal aborts the wait, without delaying those who wait behind
   * @returns a function that lets the next one in; may be called more than once
   * @throws the reason of the abort
   */
  async enter(key: string, signal?: AbortSignal): Promise<() => void> {
    const before = this.#tails.get(key);
    let leave!: () => void;
    const done = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const tail = before ? before.then(() => done) : done;
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      if (before) await (signal ? untilAborted(signal, before) : before);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Runs work when its turn comes. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(key, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

import { untilAborted } from './aborts.js';

/** Lets those who use the same key in, one after the other, in the order in which they came. */
export class SerialQueue {
  /** The end of each queue. */
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Waits for those before.
   *
   * @param signal who gives up does not keep those behind waiting
   * @returns lets the next one in; may be called more than once
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

  /** Runs something when it is its turn. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(key, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

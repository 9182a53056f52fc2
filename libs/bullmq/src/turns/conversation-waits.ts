/**
 * How many jobs of a worker wait for the locks of their conversations. Half of its jobs may, so that
 * requests that hold a conversation for long do not keep other turns from running.
 */
export class ConversationWaits {
  readonly #limit: number;
  #waiting = 0;

  /** @param concurrency how many jobs the worker runs at once */
  constructor(concurrency: number) {
    this.#limit = Math.max(1, Math.floor(concurrency / 2));
  }

  /** @returns ends the wait. Undefined: enough jobs wait, and this one must come back later */
  start(): (() => void) | undefined {
    if (this.#waiting >= this.#limit) return undefined;
    this.#waiting++;
    return () => void this.#waiting--;
  }
}

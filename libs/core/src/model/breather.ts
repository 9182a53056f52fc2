import { setImmediate } from 'node:timers/promises';

/** How long a loop may go on without a pause, in milliseconds. */
const MAX_SLICE = 5;

/**
 * Lets the event loop turn now and then in a loop whose awaits may all be settled already: timers, aborts and other requests get their
 * turn.
 */
export class Breather {
  #since = performance.now();

  /** Whether it is time for {@link breathe}. */
  get isDue(): boolean {
    return performance.now() - this.#since >= MAX_SLICE;
  }

  async breathe(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

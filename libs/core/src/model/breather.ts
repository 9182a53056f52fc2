import { setImmediate } from 'node:timers/promises';

/** The longest time that a loop may run without a pause, in milliseconds. */
const MAX_SLICE = 5;

/**
 * Lets the event loop run now and then inside a loop whose awaits may all be settled already, so
 * that timers, aborts and other requests are handled.
 */
export class Breather {
  #since = performance.now();

  /** Whether it is time to call {@link breathe}. */
  get isDue(): boolean {
    return performance.now() - this.#since >= MAX_SLICE;
  }

  async breathe(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

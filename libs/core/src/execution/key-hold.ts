import { setTimeout as sleep } from 'node:timers/promises';
import type { EndsLater } from '../tool/result/settle-result.js';

/** Who has to know of a key that is held. */
export interface KeyHolderEvents {
  /** The call was given up, and its code runs on. */
  stalled(): void;
  /** The code has ended. */
  ended(): void;
}

/** The key of one call, until the code of its last try has ended. */
export class KeyHold {
  /** The end of the code that runs now. */
  #running: Promise<void> | undefined;
  #isReleased = false;

  /** Whether the call has its result. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** @param maxWait how long the call waits for code that runs on after a try was given up, in milliseconds */
  constructor(
    private readonly maxWait: number,
    private readonly events: KeyHolderEvents,
  ) {}

  /** Runs one try. */
  run(code: (endsLater: EndsLater) => Promise<unknown>): Promise<unknown> {
    let closing: Promise<unknown> | undefined;
    const result = code((later) => {
      closing = later;
    });
    const end = this.#endOf(result, () => closing);
    this.#running = end;
    return result;
  }

  /** Whether the code of the last try has ended, or does so before it has been waited for long enough. */
  async hasEnded(signal: AbortSignal): Promise<boolean> {
    if (!this.#running) return true;
    const stop = new AbortController();
    const timeUp = sleep(this.maxWait, undefined, { signal: AbortSignal.any([signal, stop.signal]) });
    await Promise.race([this.#running, timeUp.catch(() => undefined)]);
    stop.abort();
    return this.#running === undefined;
  }

  /** The call has its result: the next one may begin as soon as the code has ended. */
  release(): void {
    this.#isReleased = true;
    if (!this.#running) {
      this.events.ended();
      return;
    }
    this.events.stalled();
    void this.#running.then(() => this.events.ended());
  }

  async #endOf(result: Promise<unknown>, closing: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await result;
    } catch {
      // Whoever waits for the result is told.
    }
    if (closing()) await Promise.allSettled([closing()]);
    this.#running = undefined;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { EndsLater } from '../tool/result/settle-result.js';

/** The listeners of a held key. */
export interface KeyHolderEvents {
  /** The call was stopped, but its code still runs. */
  stalled(): void;
  /** The code has ended. */
  ended(): void;
}

/** The key of one call, until the code of its last try has ended. */
export class KeyHold {
  /** Resolves when the running code ends. */
  #running: Promise<void> | undefined;
  #isReleased = false;

  /** Whether the call has its result. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** @param maxWait how long the call waits for the code of a stopped attempt, in milliseconds */
  constructor(
    private readonly maxWait: number,
    private readonly events: KeyHolderEvents,
  ) {}

  /** Runs one attempt. */
  run(code: (endsLater: EndsLater) => Promise<unknown>): Promise<unknown> {
    let closing: Promise<unknown> | undefined;
    const result = code((later) => {
      closing = later;
    });
    const end = this.#endOf(result, () => closing);
    this.#running = end;
    return result;
  }

  /** Whether the code of the last attempt has ended, or ends within `maxWait`. */
  async hasEnded(signal: AbortSignal): Promise<boolean> {
    if (!this.#running) return true;
    const stop = new AbortController();
    const timeUp = sleep(this.maxWait, undefined, { signal: AbortSignal.any([signal, stop.signal]) });
    await Promise.race([this.#running, timeUp.catch(() => undefined)]);
    stop.abort();
    return this.#running === undefined;
  }

  /** Releases the key. The next call starts once the running code has ended. */
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
      // The caller of the code handles the error.
    }
    if (closing()) await Promise.allSettled([closing()]);
    this.#running = undefined;
  }
}

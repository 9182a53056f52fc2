import { unlessAborted } from './aborts.js';
import { type Awaitable, isPromise } from './awaitable.js';
import type { RunningTurns } from './running-turns.js';
import { TurnAbort } from './turn-abort.js';

/**
 * Work of an advisor outside the turn of its request, such as saving the messages to memory. It
 * can be aborted by the caller and by the application's shutdown.
 */
export class RequestWork {
  readonly #abort: TurnAbort;
  readonly #isAbortable: boolean;
  ownEnd: Promise<unknown> | undefined;

  /** The turn is over: shutdown waits for the remaining work. */
  isEnding = false;

  /**
   * @param signal from the caller
   * @param running the running turns that the work shuts down with
   */
  constructor(
    readonly signal: AbortSignal | undefined,
    private readonly running: RunningTurns | undefined,
  ) {
    this.#abort = new TurnAbort(signal);
    this.#isAbortable = signal !== undefined || running !== undefined;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const slot = this.running?.add(this);
    const end = work();
    this.ownEnd = end;
    try {
      return await end;
    } finally {
      this.running?.remove(slot!, this);
      this.#abort.release();
    }
  }

  /**
   * Waits for a result, but no longer than until the work is aborted. Then it throws the abort
   * reason.
   */
  untilAborted<T>(result: Awaitable<T>): Awaitable<T> {
    if (!this.#isAbortable || !isPromise(result)) return result;
    return unlessAborted(result, (abort) => this.onAbort(abort));
  }

  /**
   * Calls back when the work is aborted, or at once if it already is. Call the returned function
   * to stop listening.
   */
  onAbort(listener: (reason: unknown) => void): () => void {
    return this.#abort.onAbort(listener);
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  giveUp(reason: unknown): void {
    this.abort(reason);
  }
}

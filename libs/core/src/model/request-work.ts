import { unlessAborted } from './aborts.js';
import { type Awaitable, isPromise } from './awaitable.js';
import type { RunningTurns } from './running-turns.js';
import { TurnAbort } from './turn-abort.js';

/** What an advisor does for a request outside of its turn, such as remembering it: ended by the caller and with the application. */
export class RequestWork {
  readonly #abort: TurnAbort;
  readonly #isAbortable: boolean;
  #end: Promise<unknown> | undefined;

  /** The turn is over: the end of the application waits for what is still to be done. */
  isEnding = false;

  /**
   * @param signal of the caller
   * @param running the turns that the work is to be ended with
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
    this.#end = end;
    try {
      return await end;
    } finally {
      this.running?.remove(slot!, this);
      this.#abort.release();
    }
  }

  /** Waits for a result no longer than until the work is ended, and throws the reason then. */
  untilAborted<T>(result: Awaitable<T>): Awaitable<T> {
    if (!this.#isAbortable || !isPromise(result)) return result;
    return unlessAborted(result, (abort) => this.onAbort(abort));
  }

  /** Calls back when the work is ended, at once if it is already, until the returned function is called. */
  onAbort(listener: (reason: unknown) => void): () => void {
    return this.#abort.onAbort(listener);
  }

  get ownEnd(): Promise<unknown> | undefined {
    return this.#end;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  giveUp(reason: unknown): void {
    this.abort(reason);
  }
}

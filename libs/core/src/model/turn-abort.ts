import { forManyListeners, unlessAborted } from './aborts.js';

type AbortListener = (reason: unknown) => void;

/**
 * Tracks whether a turn is aborted and notifies listeners.
 *
 * It creates an `AbortSignal` only on demand, for example for a tool that passes it to `fetch()`.
 * The loop itself uses plain listeners, because a signal with listeners costs some microseconds,
 * and memory until the next full garbage collection.
 */
export class TurnAbort {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #follow: (() => void) | undefined;
  #listeners: AbortListener[] | undefined;
  #isReleased = false;

  constructor(private readonly callerSignal: AbortSignal | undefined) {}

  /** Aborted when the caller aborts, or by {@link abort}. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
      else if (this.callerSignal?.aborted) this.#controller.abort(this.callerSignal.reason);
      else {
        // Add this listener first, so that our listeners find the signal aborted.
        forManyListeners(this.#controller.signal).addEventListener('abort', () => this.#tell(), { once: true });
        this.#followCaller();
      }
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.callerSignal?.aborted === true || this.#aborted !== undefined;
  }

  /** @throws the reason if it is aborted */
  throwIfAborted(): void {
    this.callerSignal?.throwIfAborted();
    if (this.#aborted) throw this.#aborted.reason;
  }

  /**
   * Calls back when it is aborted, or at once if it already is. Call the returned function to stop
   * listening.
   */
  onAbort(listener: AbortListener): () => void {
    if (this.callerSignal?.aborted) listener(this.callerSignal.reason);
    else if (this.#aborted) listener(this.#aborted.reason);
    else {
      (this.#listeners ??= []).push(listener);
      this.#followCaller();
    }
    return () => {
      const at = this.#listeners?.indexOf(listener) ?? -1;
      if (at >= 0) this.#listeners!.splice(at, 1);
    };
  }

  /** Waits for a result, but no longer than until the abort. Then it throws the abort reason. */
  untilAborted<T>(result: Promise<T>): Promise<T> {
    return unlessAborted(result, (abort) => this.onAbort(abort));
  }

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.#aborted) return;
    this.#aborted = { reason };
    if (this.#controller) this.#controller.abort(reason);
    else this.#tell();
  }

  /** Stops listening to the caller's signal for good. */
  release(): void {
    this.#isReleased = true;
    if (!this.#follow) return;
    this.callerSignal!.removeEventListener('abort', this.#follow);
    this.#follow = undefined;
  }

  #tell(): void {
    for (const listener of this.#listeners?.splice(0) ?? []) {
      try {
        listener(this.#aborted!.reason);
      } catch (error) {
        // As with an AbortSignal, the other listeners still run, and the error becomes an uncaught
        // exception.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #followCaller(): void {
    if (!this.callerSignal || this.#follow || this.#isReleased) return;
    this.#follow = () => this.abort(this.callerSignal!.reason);
    forManyListeners(this.callerSignal).addEventListener('abort', this.#follow, { once: true });
  }
}

import { Observable, Subscriber } from 'rxjs';
import { forManyListeners } from './aborts.js';

/** Something that may be aborted, such as a turn. */
export interface Abortable {
  /** Calls back when it is aborted, at once if it is already, until the returned function is called. */
  onAbort(listener: (reason: unknown) => void): () => void;
}

/**
 * A stream of what an asynchronous function emits. It is cold: each subscription runs the function once, and begins at once. The
 * stream completes when the function returns, and fails with what it throws.
 *
 * A subscriber that leaves ends everything the function consumes and aborts its signal. The function still runs to its end, so
 * `finally` cleans up; what it emits or throws from then on reaches nobody.
 *
 * @example
 * streamOf<string>(async (output) => {
 *   output.emit('Let me look.');
 *   const city = await locate(output.signal);
 *   await output.consume(forecastOf(city), (chunk) => output.emit(chunk));
 * });
 */
export function streamOf<T>(produce: (output: StreamOutput<T>) => Promise<void>): Observable<T> {
  return new Observable((subscriber) => {
    const output = new StreamOutput(subscriber);
    produce(output).then(
      () => output.complete(),
      (error: unknown) => output.fail(error),
    );
  });
}

/** Where the function of {@link streamOf} writes its chunks. */
export class StreamOutput<T> {
  #hasEnded = false;
  #leaving: AbortController | undefined;

  constructor(private readonly subscriber: Subscriber<T>) {}

  /** Passes a chunk on. After the subscriber has left, it does nothing. */
  emit(chunk: T): void {
    this.subscriber.next(chunk);
  }

  /**
   * Subscribes a stream once and waits for its end. Each chunk is handed over as it comes, without a promise.
   *
   * @param next receives each chunk; what it throws ends the source and is thrown here
   * @param until ends the source when it is aborted
   * @throws the error of the source, the reason of the abort, or an `AbortError` when the subscriber leaves
   */
  consume<S>(source: Observable<S>, next: (chunk: S) => void, until?: Abortable): Promise<void> {
    return new Promise((resolve, reject) => {
      const consumer = new Consumer(next, resolve, reject);
      this.subscriber.add(consumer);
      if (until && !consumer.closed) consumer.add(until.onAbort((reason) => consumer.error(reason)));
      if (!consumer.closed) source.subscribe(consumer);
    });
  }

  /** Calls back when the subscriber leaves before the end of the stream, at once if it already has. */
  onLeave(listener: (reason: DOMException) => void): void {
    this.subscriber.add(() => {
      if (!this.#hasEnded) listener(unsubscribed());
    });
  }

  /** Aborted when the subscriber leaves before the end of the stream. Made on first use. */
  get signal(): AbortSignal {
    if (!this.#leaving) {
      const leaving = (this.#leaving = new AbortController());
      forManyListeners(leaving.signal);
      this.onLeave((reason) => leaving.abort(reason));
    }
    return this.#leaving.signal;
  }

  complete(): void {
    this.#hasEnded = true;
    this.subscriber.complete();
  }

  fail(error: unknown): void {
    this.#hasEnded = true;
    this.subscriber.error(error);
  }
}

/** Hears a source until it ends. A class, since closures around each chunk cost more. */
class Consumer<T> extends Subscriber<T> {
  #isSettled = false;

  constructor(
    private readonly onChunk: (chunk: T) => void,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    super();
  }

  override next(chunk: T): void {
    if (this.closed) return;
    try {
      this.onChunk(chunk);
    } catch (error) {
      this.error(error);
    }
  }

  override error(error: unknown): void {
    if (this.closed) return;
    this.reject(error);
    this.#end();
  }

  override complete(): void {
    if (this.closed) return;
    if (this.#end()) this.resolve();
  }

  /** A source that cannot be torn down has failed: thrown on, it would come up wherever the source was called from. */
  #end(): boolean {
    this.#isSettled = true;
    try {
      super.unsubscribe();
      return true;
    } catch (error) {
      this.reject(error);
      return false;
    }
  }

  /** Also called by the subscription that this one is part of, when the subscriber leaves. */
  override unsubscribe(): void {
    if (!this.#isSettled) this.reject(unsubscribed());
    this.#isSettled = true;
    super.unsubscribe();
  }
}

function unsubscribed(): DOMException {
  return new DOMException('The stream was unsubscribed.', 'AbortError');
}

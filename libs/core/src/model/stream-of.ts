import { Observable, Subscriber } from 'rxjs';
import { forManyListeners } from './aborts.js';

/** Something that can be aborted, such as a turn. */
export interface Abortable {
  /**
   * Calls back when it is aborted, or at once if it already is. Call the returned function to stop
   * listening.
   */
  onAbort(listener: (reason: unknown) => void): () => void;
}

/**
 * Creates a stream from an asynchronous function that emits chunks. The stream is cold: each
 * subscription runs the function once, immediately. The stream completes when the function returns
 * and fails with the error that it throws.
 *
 * When the subscriber leaves, the streams that the function consumes end and its signal is
 * aborted. The function still runs to its end, so `finally` blocks run. Chunks and errors after
 * that point are dropped.
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

/** The output of the function of {@link streamOf}. */
export class StreamOutput<T> {
  #hasEnded = false;
  #leaving: AbortController | undefined;

  constructor(private readonly subscriber: Subscriber<T>) {}

  /** Passes a chunk on. Does nothing after the subscriber has left. */
  emit(chunk: T): void {
    this.subscriber.next(chunk);
  }

  /**
   * Subscribes to a stream once and waits for its end. Chunks are passed on synchronously.
   *
   * @param next receives each chunk; an error that it throws ends the source and is rethrown here
   * @param until ends the source when it is aborted
   * @param result what to return at the end
   * @throws the error of the source, the reason of the abort, or an `AbortError` when the
   * subscriber leaves
   */
  consume<S>(source: Observable<S>, next: (chunk: S) => void, until?: Abortable): Promise<void>;
  consume<S, R>(source: Observable<S>, next: (chunk: S) => void, until: Abortable, result: () => R): Promise<R>;
  consume<S>(
    source: Observable<S>,
    next: (chunk: S) => void,
    until?: Abortable,
    result?: () => unknown,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const consumer = new Consumer(next, () => resolve(result?.()), reject);
      this.subscriber.add(consumer);
      if (until && !consumer.closed) consumer.add(until.onAbort((reason) => consumer.error(reason)));
      if (!consumer.closed) source.subscribe(consumer);
    });
  }

  /** Aborted when the subscriber leaves before the end of the stream. Created on first use. */
  get signal(): AbortSignal {
    if (!this.#leaving) {
      const leaving = (this.#leaving = new AbortController());
      forManyListeners(leaving.signal);
      this.subscriber.add(() => {
        if (!this.#hasEnded) leaving.abort(unsubscribed());
      });
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

/** Consumes a source until it ends. A class is cheaper here than closures for each chunk. */
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

  /**
   * If the teardown of the source throws, reject. Rethrown, the error would surface at the caller
   * of the source.
   */
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

  /** RxJS also calls this when the subscriber of the whole stream leaves. */
  override unsubscribe(): void {
    if (!this.#isSettled) this.reject(unsubscribed());
    this.#isSettled = true;
    super.unsubscribe();
  }
}

function unsubscribed(): DOMException {
  return new DOMException('The stream was unsubscribed.', 'AbortError');
}

import { Logger } from '@nestjs/common';
import { Subscriber, type TeardownLogic } from 'rxjs';
import { toModelFailure } from '../model/chat-model.exception.js';
import type { Prompt } from '../model/prompt.js';
import { errorTypeOf, framesOf } from '../model/error-type.js';

/** Takes over when the stream of a model fails before it has begun to answer. */
export interface StreamRecovery<T, R> {
  /** Whether an item belongs to the answer, so that no other answer can follow. */
  isBegun(item: T): boolean;
  /** Returns whether it takes over. It then sends another stream to the target. */
  recover(error: unknown, target: Subscriber<R>): boolean;
}

/**
 * Subscribes to the stream of a model. A class is cheaper here than closures for each chunk.
 *
 * If the teardown of a stream throws, the error is logged. Rethrown, it would surface in the timer
 * or socket that called the model and end the process.
 */
export class ModelSubscriber<T, R> extends Subscriber<T> {
  /** Undefined once the answer has begun. */
  #recovery: StreamRecovery<T, R> | undefined;

  /**
   * @param pack converts each chunk to the value that is passed on
   * @param prompt what the model was asked. Its signal is only made when somebody reads it
   */
  constructor(
    protected readonly target: Subscriber<R>,
    private readonly pack: (chunk: T) => R,
    private readonly prompt: Prompt,
    recovery?: StreamRecovery<T, R>,
  ) {
    super(target as Subscriber<unknown>);
    this.#recovery = recovery;
  }

  /** The target itself checks whether it is still subscribed. */
  override next(chunk: T): void {
    let packed: R;
    try {
      packed = this.pack(chunk);
    } catch (error) {
      return this.error(error);
    }
    if (this.#recovery?.isBegun(chunk)) this.#recovery = undefined;
    this.target.next(packed);
  }

  override error(reason: unknown): void {
    const recovery = this.closed ? undefined : this.#recovery;
    this.#recovery = undefined;
    if (!recovery?.recover(reason, this.target))
      return super.error(toModelFailure(reason, this.prompt.options?.signal));
    // The target goes on with the other stream.
    this.unsubscribe();
  }

  /** If the stream has already ended, RxJS runs the teardown here. */
  override add(teardown: TeardownLogic): void {
    try {
      super.add(teardown);
    } catch (error) {
      logTeardownError(error);
    }
  }

  override unsubscribe(): void {
    try {
      super.unsubscribe();
    } catch (error) {
      logTeardownError(error);
    }
  }
}

/** @param error thrown by a teardown; RxJS collects several errors in one */
function logTeardownError(error: unknown): void {
  const { errors = [error] } = (error ?? {}) as { errors?: readonly unknown[] };
  for (const thrown of Array.isArray(errors) ? errors : [error]) {
    new Logger('ChatModel').error(
      `The teardown of the model's stream failed with ${errorTypeOf(thrown)}. Make sure that the teardown of its Observable does not throw.`,
      framesOf(thrown),
    );
  }
}

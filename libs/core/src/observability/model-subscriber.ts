import { Logger } from '@nestjs/common';
import { Subscriber, type TeardownLogic } from 'rxjs';
import { toModelFailure } from '../model/chat-model.exception.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { Prompt } from '../model/prompt.js';
import { errorTypeOf, framesOf } from '../model/error-type.js';
import { hasContent } from '../model/has-content.js';

/**
 * Takes over when the stream of a model fails before it has begun to answer: sends another stream to
 * the target, or returns false.
 */
export type StreamRecovery<R> = (failure: unknown, target: Subscriber<R>) => boolean;

/**
 * Subscribes to the stream of a model. A class is cheaper here than closures for each chunk.
 *
 * If the teardown of a stream throws, the error is logged. Rethrown, it would surface in the timer
 * or socket that called the model and end the process.
 */
export class ModelSubscriber<R> extends Subscriber<ChatResponse> {
  /** Undefined once the answer has begun. */
  #recover: StreamRecovery<R> | undefined;

  /**
   * @param pack converts each chunk to the value that is passed on
   * @param prompt what the model was asked. Its signal is only made when somebody reads it
   */
  constructor(
    protected readonly target: Subscriber<R>,
    private readonly pack: (chunk: ChatResponse) => R,
    private readonly prompt: Prompt,
    recover?: StreamRecovery<R>,
  ) {
    super(target as Subscriber<unknown>);
    this.#recover = recover;
  }

  /** The target itself checks whether it is still subscribed. */
  override next(chunk: ChatResponse): void {
    let packed: R;
    try {
      packed = this.pack(chunk);
    } catch (error) {
      return this.error(error);
    }
    if (this.#recover && hasContent(chunk)) this.#recover = undefined;
    this.target.next(packed);
  }

  override error(reason: unknown): void {
    const recover = this.closed ? undefined : this.#recover;
    this.#recover = undefined;
    if (!recover?.(reason, this.target)) return super.error(toModelFailure(reason, this.prompt.options?.signal));
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

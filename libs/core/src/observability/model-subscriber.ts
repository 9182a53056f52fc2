import { Logger } from '@nestjs/common';
import { Subscriber, type TeardownLogic } from 'rxjs';
import { errorTypeOf, framesOf } from './error-type.js';

/**
 * Hears the stream of a model. A class, since closures around each chunk cost more.
 *
 * A stream that cannot be torn down has ended all the same: what its teardown throws would come up in the timer or the socket that
 * the model was called by, where it ends the process. It is logged.
 */
export class ModelSubscriber<T, R> extends Subscriber<T> {
  /** @param pack makes of each chunk what is passed on */
  constructor(
    protected readonly target: Subscriber<R>,
    private readonly pack: (chunk: T) => R,
  ) {
    super(target as Subscriber<unknown>);
  }

  /** Whether anybody is still there, the target asks itself. */
  override next(chunk: T): void {
    let packed: R;
    try {
      packed = this.pack(chunk);
    } catch (error) {
      return this.error(error);
    }
    this.target.next(packed);
  }

  /** A stream that has ended before it could give its teardown is torn down here. */
  override add(teardown: TeardownLogic): void {
    try {
      super.add(teardown);
    } catch (error) {
      tell(error);
    }
  }

  override unsubscribe(): void {
    try {
      super.unsubscribe();
    } catch (error) {
      tell(error);
    }
  }
}

/** @param error what a teardown has thrown; RxJS collects what several have */
function tell(error: unknown): void {
  const { errors = [error] } = (error ?? {}) as { errors?: readonly unknown[] };
  for (const thrown of Array.isArray(errors) ? errors : [error]) {
    new Logger('ChatModel').error(
      `The stream of the model could not be torn down: ${errorTypeOf(thrown)}. Have the teardown of its Observable throw nothing.`,
      framesOf(thrown),
    );
  }
}

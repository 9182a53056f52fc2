import { Logger, Module } from '@nestjs/common';
import { filter, Observable, type Observer, type Operator, type Subject, Subscriber, type Subscription } from 'rxjs';
import { errorTypeOf, framesOf } from '../../model/error-type.js';
import type { AiEvent, AiEventOf } from './ai-event.js';
import { AiEventSource } from './ai-event-source.js';

const logger = new Logger('AiEvents');

/**
 * Catches and logs errors of listeners and operators, including rejected promises. Otherwise they
 * would end the process.
 */
class GuardedObservable<T> extends Observable<T> {
  /** Guards observables from operators as well. */
  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>();
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(
    listener?: Partial<Observer<T>> | ((value: T) => unknown) | null,
    onError?: ((error: unknown) => void) | null,
    onComplete?: (() => void) | null,
  ): Subscription {
    if (listener instanceof Subscriber) return super.subscribe(listener);
    const observer: Partial<Observer<T>> =
      typeof listener === 'function'
        ? { next: listener, ...(onError && { error: onError }), ...(onComplete && { complete: onComplete }) }
        : (listener ?? {});
    return super.subscribe({
      next: (value) => attempt(() => observer.next?.(value)),
      // Operators may throw. A listener without an error callback then receives no more events.
      error: (error) => attempt(() => (observer.error ? observer.error(error) : log(error))),
      complete: () => attempt(() => observer.complete?.()),
    });
  }
}

function attempt(listener: () => unknown): void {
  try {
    const result = listener();
    if (result instanceof Promise) result.catch(log);
  } catch (error) {
    log(error);
  }
}

function log(error: unknown): void {
  logger.error(`A listener of AiEvents failed: ${errorTypeOf(error)}`, framesOf(error));
}

/**
 * The events in the turns of all clients of the application. Costs nothing without listeners.
 * Events contain prompts, answers and tool results: it is up to you where you send them.
 *
 * @example
 * constructor(events: AiEvents) {
 *   events.of('tool-error').subscribe(({ toolCall, response }) => {
 *     this.alert(toolCall.name, response.responseData);
 *   });
 * }
 */
export class AiEvents extends GuardedObservable<AiEvent> {
  constructor(events: Subject<AiEvent>) {
    super((subscriber) => events.subscribe(subscriber));
  }

  /** The events of one type. */
  of<Type extends AiEvent['type']>(type: Type): Observable<AiEventOf<Type>> {
    return this.pipe(filter((event): event is AiEventOf<Type> => event.type === type));
  }
}

/** All `AiModule`s of an application share this module, so that its events cover all clients. */
@Module({
  providers: [
    AiEventSource,
    {
      provide: AiEvents,
      inject: [AiEventSource],
      useFactory: ({ subject }: AiEventSource): AiEvents => new AiEvents(subject),
    },
  ],
  exports: [AiEventSource, AiEvents],
})
export class AiEventsModule {}

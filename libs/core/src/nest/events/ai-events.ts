import { Logger } from '@nestjs/common';
import { filter, Observable, type Observer, type Subject, Subscriber, type Subscription } from 'rxjs';
import { errorTypeOf, framesOf } from '../../observability/error-type.js';
import type { AiEvent, AiEventOf } from './ai-event.js';

const logger = new Logger('AiEvents');

/** What a listener throws is logged: RxJS would end the process with it. */
class GuardedObservable<T> extends Observable<T> {
  override subscribe(listener?: Partial<Observer<T>> | ((value: T) => void) | null): Subscription {
    if (!listener || listener instanceof Subscriber) return super.subscribe(listener ?? undefined);
    const observer: Partial<Observer<T>> = typeof listener === 'function' ? { next: listener } : listener;
    const { next } = observer;
    if (!next) return super.subscribe(observer);
    return super.subscribe({
      error: (error) => observer.error?.(error),
      complete: () => observer.complete?.(),
      next: (value) => {
        try {
          next.call(observer, value);
        } catch (error) {
          logger.error(`A listener of AiEvents has failed: ${errorTypeOf(error)}`, framesOf(error));
        }
      },
    });
  }
}

/**
 * What happens in the turns of all clients of the application, as it happens. Costs nothing while nobody listens. It has what was said: what
 * becomes of it is up to whoever listens.
 *
 * @example
 * constructor(events: AiEvents) {
 *   events.of('tool-error').subscribe(({ toolCall, response }) => this.alert(toolCall.name, response.responseData));
 * }
 */
export class AiEvents extends GuardedObservable<AiEvent> {
  constructor(events: Subject<AiEvent>) {
    super((subscriber) => events.subscribe(subscriber));
  }

  /** The events of a type. */
  of<Type extends AiEvent['type']>(type: Type): Observable<AiEventOf<Type>> {
    const events = this.pipe(filter((event): event is AiEventOf<Type> => event.type === type));
    return new GuardedObservable((subscriber) => events.subscribe(subscriber));
  }
}

import { filter, Observable, type Subject } from 'rxjs';
import type { AiEvent, AiEventOf } from './ai-event.js';

/**
 * What happens in the turns of all clients of the application, as it happens. Costs nothing while nobody listens. It has what was said: what
 * becomes of it is up to whoever listens.
 *
 * @example
 * constructor(events: AiEvents) {
 *   events.of('tool-error').subscribe(({ toolCall, response }) => this.alert(toolCall.name, response.responseData));
 * }
 */
export class AiEvents extends Observable<AiEvent> {
  constructor(events: Subject<AiEvent>) {
    super((subscriber) => events.subscribe(subscriber));
  }

  /** The events of a type. */
  of<Type extends AiEvent['type']>(type: Type): Observable<AiEventOf<Type>> {
    return this.pipe(filter((event): event is AiEventOf<Type> => event.type === type));
  }
}

import type { MessageEvent } from '@nestjs/common';
import { catchError, map, type Observable, of } from 'rxjs';
import { tellOfFailure, toPublic, toSafeJson } from './public-events.js';
import type { ChatClientEvent } from './response-events.js';

/** The options of {@link toSse}. */
export interface SseOptions {
  /** What the front end is told when the answer fails. Default: that it could not be completed; the error itself is logged by its class. */
  readonly errorText?: (error: unknown) => string;
}

/**
 * The events of an answer as server-sent events, for a method with Nest's `@Sse()`. Each has the type of the event and its data as JSON. When
 * the client goes, Nest unsubscribes, and the model and the running tools are aborted.
 *
 * What is for the application alone is left out: values before they became text, and what providers add. An answer that fails ends with an
 * event of the type `error`.
 *
 * @param events of `chatClient.prompt(…).stream().events()`; filter them first if the front end is not to see all
 * @example
 * \@Sse('chat')
 * chat(@Query('q') question: string) {
 *   return toSse(this.chatClient.prompt(question).stream().events());
 * }
 */
export function toSse(events: Observable<ChatClientEvent>, options: SseOptions = {}): Observable<MessageEvent> {
  return events.pipe(
    map((event) => ({ type: event.type, data: toSafeJson(withoutType(toPublic(event))) })),
    catchError((error: unknown) =>
      of({ type: 'error', data: toSafeJson({ message: tellOfFailure(error, options.errorText) }) }),
    ),
  );
}

function withoutType({ type: _type, ...data }: ChatClientEvent): object {
  return data;
}

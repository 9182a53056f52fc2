import type { MessageEvent } from '@nestjs/common';
import { catchError, filter, map, type Observable, of } from 'rxjs';
import { type HeartbeatOptions, withHeartbeat } from './heartbeat.js';
import type { ToolCallDisplay } from './browser-view.js';
import { type PublicEvent, tellOfFailure, toPublic, toSafeJson } from './public-events.js';
import type { ChatClientEvent } from './response-events.js';

/** The options of {@link toSse}. */
export interface SseOptions extends HeartbeatOptions, ToolCallDisplay {
  /**
   * The error text for the front end. Default: a general text. The log contains the class of the
   * error.
   */
  readonly errorText?: (error: unknown) => string;
}

/**
 * Converts the events of an answer to server-sent events, for a method with Nest's `@Sse()`. Each
 * has the type of the event and its data as JSON. If the client disconnects, Nest unsubscribes,
 * which aborts the model call and the running tools.
 *
 * Data for the application alone is not sent: original values of results, data of providers, error
 * messages of tools, and contents hidden by `@Tool({ ui })` or `ai.ui.content`. Arguments that the
 * model is still writing are not sent either if a `ContentRedactor` has to see them first. If the
 * answer fails, the last event has the type `error`. During silence, comments keep the connection
 * open.
 *
 * @param events from `chatClient.prompt(…).stream().events()`. Filter them to send only some.
 * @throws RangeError if `heartbeat` is not a positive number of milliseconds
 * @example
 * \@Sse('chat')
 * chat(@Query('q') question: string) {
 *   return toSse(this.chatClient.prompt(question).stream().events());
 * }
 */
export function toSse(events: Observable<ChatClientEvent>, options: SseOptions = {}): Observable<MessageEvent> {
  const messages = events.pipe(
    map((event) => toPublic(event, options)),
    filter((event) => event !== undefined),
    map((event): MessageEvent => ({ type: event.type, data: toSafeJson(withoutType(event)) })),
    catchError((error: unknown) =>
      of({ type: 'error', data: toSafeJson({ message: tellOfFailure(error, options.errorText) }) }),
    ),
  );
  return withHeartbeat(messages, options, toComment);
}

/**
 * Nest writes this as a comment. Versions without comments write only an event id, which clients
 * ignore as well.
 */
export function toComment(): MessageEvent {
  return { comment: 'alive' };
}

function withoutType({ type: _type, ...data }: PublicEvent): object {
  return data;
}

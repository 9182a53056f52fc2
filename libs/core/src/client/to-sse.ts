import type { MessageEvent } from '@nestjs/common';
import { catchError, filter, map, type Observable, of } from 'rxjs';
import { type HeartbeatOptions, withHeartbeat } from './heartbeat.js';
import type { ToolCallDisplay } from './browser-view.js';
import type { ToolInputDeltaEvent } from './model-events.js';
import { tellOfFailure, toPublic, toSafeJson } from './public-events.js';
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
    map((event) => toMessage(event, options)),
    filter((message) => message !== undefined),
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

function toMessage(event: ChatClientEvent, options: SseOptions): MessageEvent | undefined {
  const shown = toPublic(event, options);
  if (!shown) return undefined;
  const { type, ...data } = shown;
  return { type, data: toSafeJson(event.type === 'tool-input-delta' ? { ...data, ...writtenSoFar(event) } : data) };
}

/**
 * The arguments up to this event. Those of a long text only each time it has grown by 2 %: a page
 * would receive the text once for each of its words.
 */
function writtenSoFar(event: ToolInputDeltaEvent): Partial<ToolInputDeltaEvent> {
  const { text, delta } = event;
  // Events that went through JSON may have no text.
  if (text !== delta && !(stepOf(text?.length) > stepOf(text?.length - delta.length))) return {};
  return { text, input: event.input };
}

/** Each step is 2 % longer than the one before. A short text makes a step with each character. */
function stepOf(length: number): number {
  return Math.floor(Math.log(length) / Math.log(1.02));
}

import {
  type HeartbeatOptions,
  tellOfFailure,
  toComment,
  toPublic,
  toSafeJson,
  withHeartbeat,
} from '@nestor-ai/core/internal';
import type { ChatClientEvent, ToolCallDisplay } from '@nestor-ai/core';
import type { MessageEvent } from '@nestjs/common';
import { map, Observable, type Subscription } from 'rxjs';
import type { UIMessageChunk } from './ui-message-chunk.js';
import { UI_MESSAGE_HEADERS } from './ui-message-headers.js';
import { UIMessageMapper } from './ui-message-mapper.js';

/** The options of {@link toUIMessageStream} and {@link toUIMessageStreamResponse}. */
export interface UIMessageStreamOptions extends HeartbeatOptions, ToolCallDisplay {
  /** The id of the message in the front end. Default: the front end creates one. */
  readonly messageId?: string;
  /** Whether to send the model's reasoning. Default: true. */
  readonly sendReasoning?: boolean;
  /**
   * The error text for the front end. Default: a general text. The log contains the class of the
   * error.
   */
  readonly errorText?: (error: unknown) => string;
}

const COMMENT = ': alive\n\n';

const END_OF_STREAM = '[DONE]';

/**
 * Converts the events of an answer to an AI SDK UI message stream, for a method with Nest's
 * `@Sse()`. In Nest 11, whose `@Sse()` has no `method` option, write `@Post('chat')` above an
 * empty `@Sse()`.
 *
 * @throws RangeError if `heartbeat` is not a positive number of milliseconds
 * @example
 * \@Sse('chat', { method: RequestMethod.POST })
 * chat(@Body() { messages }: UIChatRequest) {
 *   const request = withUIMessages(this.chatClient.prompt(), messages);
 *   return toUIMessageStream(request.stream().events());
 * }
 */
export function toUIMessageStream(
  events: Observable<ChatClientEvent>,
  options: UIMessageStreamOptions = {},
): Observable<MessageEvent> {
  const messages = textsOf(events, options).pipe(map((data): MessageEvent => ({ data })));
  return withHeartbeat(messages, options, toComment);
}

/**
 * Converts the events of an answer to a web `Response` with an AI SDK UI message stream, for
 * `useChat()` of React, Vue, Svelte and Angular. A controller of Nest 12 can return it directly.
 * The model is called when the response is read, and aborted when the client disconnects.
 *
 * @param events from `chatClient.prompt(…).stream().events()`
 * @throws RangeError if `heartbeat` is not a positive number of milliseconds
 * @example
 * \@Post('chat')
 * chat(@Body() { messages }: UIChatRequest) {
 *   const request = withUIMessages(this.chatClient.prompt(), messages);
 *   return toUIMessageStreamResponse(request.stream().events());
 * }
 */
export function toUIMessageStreamResponse(
  events: Observable<ChatClientEvent>,
  options: UIMessageStreamOptions & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly status?: number;
  } = {},
): Response {
  const { headers, status = 200, ...streamOptions } = options;
  const sent = new Headers(UI_MESSAGE_HEADERS);
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  const blocks = textsOf(events, streamOptions).pipe(map((text) => `data: ${text}\n\n`));
  return new Response(toBytes(withHeartbeat(blocks, streamOptions, () => COMMENT)), { status, headers: sent });
}

function textsOf(
  events: Observable<ChatClientEvent>,
  { messageId, sendReasoning = true, errorText, ...display }: UIMessageStreamOptions,
): Observable<string> {
  return new Observable((subscriber) => {
    const mapper = new UIMessageMapper((chunk: UIMessageChunk) => subscriber.next(toSafeJson(chunk)));
    const end = (): void => {
      subscriber.next(END_OF_STREAM);
      subscriber.complete();
    };
    const fail = (error: unknown): void => {
      try {
        mapper.fail(tellOfFailure(error, errorText));
        end();
      } catch (refusal) {
        subscriber.error(refusal);
      }
    };
    mapper.begin(messageId);
    return events.subscribe({
      next: (event) => {
        if (!sendReasoning && event.type === 'reasoning') return;
        try {
          const shown = toPublic(event, display);
          if (shown) mapper.next(shown);
        } catch (error) {
          // Otherwise RxJS would end the process with the error.
          fail(error);
        }
      },
      error: fail,
      complete: end,
    });
  });
}

/** Subscribes when it is read and unsubscribes when reading stops. */
function toBytes(texts: Observable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let subscription: Subscription | undefined;
  return new ReadableStream(
    {
      pull: (controller) => {
        subscription ??= texts.subscribe({
          next: (text) => {
            // The client has enough unread data.
            if (text !== COMMENT || controller.desiredSize === 0) controller.enqueue(encoder.encode(text));
          },
          complete: () => controller.close(),
        });
      },
      cancel: () => subscription?.unsubscribe(),
    },
    { highWaterMark: 0 },
  );
}

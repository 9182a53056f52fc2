import type { TurnEventReader } from './turn-event-reader.js';

/**
 * How turns are sent to front ends of another protocol, as server-sent events. `AiUiModule` of
 * `@nestor-ai/ui` provides one for `useChat()`. It is also the injection token.
 */
export abstract class TurnStreamFormat {
  /** The headers of the response. */
  abstract readonly headers: Readonly<Record<string, string>>;

  /**
   * The data of each server-sent event, from where the reader begins to the end of the turn.
   *
   * @param signal ends the stream: the client has left
   */
  abstract texts(reader: TurnEventReader, turnId: string, signal: AbortSignal): AsyncIterable<string>;
}

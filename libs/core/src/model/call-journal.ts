import type { AssistantMessage, Message, ToolCall, ToolResponse } from './messages.js';

/**
 * Notes what becomes of the tool calls of a turn as it happens. A turn that humans have decided about has one, so that a process that dies
 * does not take along what was approved and done.
 */
export interface CallJournal {
  /**
   * The calls of a new message are about to be answered.
   *
   * @param before the conversation before the message
   */
  opened(before: readonly Message[], asked: AssistantMessage): void;

  /**
   * The code of a call is about to run. It must not run before this has resolved.
   *
   * @param call with the arguments that it runs with
   * @throws Error when that cannot be noted; the turn is aborted then
   */
  began(call: ToolCall): Promise<void>;

  /** The call was given up after {@link began}, and its code does not run. */
  withdrawn(callId: string): Promise<void>;

  /** A call is answered, whether or not it has begun. */
  ended(response: ToolResponse): Promise<void>;

  /** The code of a call has ended with an error, and it is not known what it has done. */
  interrupted(call: ToolCall): Promise<void>;
}

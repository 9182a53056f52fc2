import type { AssistantMessage, Message, ToolCall, ToolResponse } from './messages.js';

/**
 * Records the progress of a turn's tool calls. A turn that humans have decided about has one, so
 * that approvals and results survive a crash of the process. With a `TurnJournal`, each turn has.
 */
export interface CallJournal {
  /**
   * A new message asks for calls, and they are about to be answered.
   *
   * @param before the conversation before the message
   */
  opened(before: readonly Message[], asked: AssistantMessage): void;

  /**
   * The code of a call is about to run. It must not run before this promise has resolved.
   *
   * @param call with the arguments that the code receives
   * @throws Error when the journal cannot be written; the turn is aborted then
   */
  began(call: ToolCall): Promise<void>;

  /** The call was given up after {@link began}, and its code will not run. */
  withdrawn(callId: string): void;

  /** The call has been answered, whether or not it began. */
  ended(response: ToolResponse): void;

  /** The code of the call failed, and its side effects are unknown. */
  interrupted(call: ToolCall): void;

  /**
   * Stores the answer of the turn, before it is added to a memory. After a crash in between, the
   * model is not asked again.
   */
  keep(): Promise<void>;
}

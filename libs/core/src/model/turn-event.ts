import type { CallApproval } from './call-approval.js';
import type { ToolCall, ToolResponse } from './messages.js';
import type { ToolUi } from './tool-ui.js';

/** An event of a tool call while a turn runs. */
export type TurnEvent =
  ToolCallEvent | ToolProgressEvent | ToolOutcomeEvent<'tool-result'> | ToolOutcomeEvent<'tool-error'>;

interface ToolEvent {
  /** What a browser may see of the call, if its tool declares it. */
  readonly ui?: ToolUi;
}

/** The model asks for a tool call. */
export interface ToolCallEvent extends ToolEvent {
  readonly type: 'tool-call';
  /** The call, with the arguments that the model wrote. */
  readonly toolCall: ToolCall;
}

/** A tool reports progress, or emits an item that is not its last. */
export interface ToolProgressEvent extends ToolEvent {
  readonly type: 'tool-progress';
  /** Which call it belongs to. */
  readonly toolCall: Pick<ToolCall, 'id' | 'name'>;
  /** The value that the tool reports or yields. */
  readonly value: unknown;
}

/** A call is answered with a result or an error. */
export interface ToolOutcomeEvent<Type extends 'tool-result' | 'tool-error'> extends ToolEvent {
  readonly type: Type;
  /** The call as it ran: with the approved or repaired arguments. */
  readonly toolCall: ToolCall;
  /**
   * What the model reads: the result of the tool, or why there is none. The same as
   * `response.responseData`.
   */
  readonly result: string;
  /** The response as the model reads it. */
  readonly response: ToolResponse;
  /** A human refused the call. */
  readonly isDenied?: true;
  /** Who decided about the call and what was changed. Undefined if the call needed no approval. */
  readonly approval?: CallApproval;
}

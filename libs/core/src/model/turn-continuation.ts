import type { CallApproval } from './call-approval.js';
import type { AssistantMessage, ToolResponse } from './messages.js';
import type { PendingInput } from './pending-input.js';
import type { ToolApproval } from './tool-approval.js';

/** The calls of a message that run after humans have decided about some of them, by the ids of the calls. */
export interface TurnContinuation {
  /** The message that asks for the calls. */
  readonly asked: AssistantMessage;
  readonly approvals: ReadonlyMap<string, ToolApproval>;
  /** The responses that calls had before the turn was suspended. */
  readonly responses: ReadonlyMap<string, ToolResponse>;
  /** The calls that may have run, but whose responses are lost. */
  readonly uncertain: readonly string[];
  /** Details about the approvals, for tools and their observers. */
  readonly callApprovals: ReadonlyMap<string, CallApproval>;
  /** What calls have asked their user for. Its `content` is undefined if the user has not answered. */
  readonly inputs: ReadonlyMap<string, PendingInput>;
}

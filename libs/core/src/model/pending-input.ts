import type { CallApproval } from './call-approval.js';
import type { ToolInputRequest } from './tool-input-request.js';

/**
 * What is kept of a call that asks its user for input. It contains the state of the tool, so it
 * must not leave the server.
 */
export interface PendingInput {
  readonly request: ToolInputRequest;
  /** The approval of the call from before it asked. It still counts when the call runs again. */
  readonly approval?: CallApproval;
  /** The user's input. Undefined until the call has started with it. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The pending inputs of a message, by call id. */
export type PendingInputs = Readonly<Record<string, PendingInput>>;

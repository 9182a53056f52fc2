import type { CallApproval } from './call-approval.js';
import type { DeliveredResult } from './deferred-call.js';
import type { ToolInputRequest } from './tool-input-request.js';

/**
 * What is kept of a call that waits for input of its user, or for its result. It contains the state of the tool, so it
 * must not leave the server.
 */
export interface PendingInput {
  readonly request: ToolInputRequest;
  /** The approval of the call from before it asked. It still counts when the call runs again. */
  readonly approval?: CallApproval;
  /** The user's input. Undefined until the call has started with it. */
  readonly content?: Readonly<Record<string, unknown>>;
  /** The call waits for its result instead of its user. */
  readonly deferred?: true;
  /** The queue of the job that runs the code of a deferred call. Undefined: no code runs. */
  readonly queue?: string;
  /** The result of a deferred call. Undefined until it was delivered. */
  readonly delivered?: DeliveredResult;
}

/** The pending inputs of a message, by call id. */
export type PendingInputs = Readonly<Record<string, PendingInput>>;

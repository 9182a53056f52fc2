import type { CallApproval } from './call-approval.js';
import type { ToolCall, ToolResponse } from './messages.js';

/**
 * The outcome of a tool call.
 *
 * - `ok`: the tool answered.
 * - `error`: the tool threw, or reported a failure.
 * - `timeout`: the tool took too long.
 * - `invalid_arguments`: the model's arguments are invalid.
 * - `unknown_tool`: the request has no such tool.
 * - `limit_exceeded`: there were too many calls.
 * - `denied`: a human refused the call.
 * - `pending_approval`: a human has to decide.
 * - `input_required`: the tool asks its user for input.
 * - `deferred`: the result comes later.
 * - `rate_limited`: the tool was called too often in its interval.
 * - `forbidden`: a guard refused the call.
 * - `refused`: the call is irreversible, and the model had read text from strangers.
 * - `unavailable`: code around the tool failed.
 * - `aborted`: the caller has left.
 */
export type ToolCallOutcome =
  | 'ok'
  | 'error'
  | 'timeout'
  | 'invalid_arguments'
  | 'unknown_tool'
  | 'limit_exceeded'
  | 'denied'
  | 'pending_approval'
  | 'input_required'
  | 'deferred'
  | 'rate_limited'
  | 'forbidden'
  | 'refused'
  | 'unavailable'
  | 'aborted';

/** The end of a run of a tool call. */
export interface ToolCallEnd {
  readonly outcome: ToolCallOutcome;
  /** Undefined if the call waits for approval or input, or the turn was aborted. */
  readonly response?: ToolResponse;
  /** The thrown error, if any. */
  readonly error?: unknown;
  /** The call, if it differs from what the model wrote. */
  readonly changed?: ToolCall;
  /** The decision about the call, if there was one. */
  readonly approval?: CallApproval;
}

/** The end of a call that the model reads about. */
export interface ToolCallAnswer extends ToolCallEnd {
  readonly response: ToolResponse;
}

/** An end whose outcome is missing where the response tells it. */
export type TerseEnd = Omit<ToolCallEnd, 'outcome'> & Partial<Pick<ToolCallEnd, 'outcome'>>;

export function outcomeOf({ response, outcome }: TerseEnd): ToolCallOutcome {
  if (outcome) return outcome;
  if (!response) return 'pending_approval';
  return response.isDenied ? 'denied' : response.isError ? 'error' : 'ok';
}

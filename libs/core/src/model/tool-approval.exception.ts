import type { ToolCall } from './messages.js';

/**
 * Why a turn cannot be resumed. `not-found`: no such turn or call waits. `conflict`: the turn was
 * resumed elsewhere, or the call was already decided. `uncertain`: calls may have run and there is
 * no decision about them. `unavailable`: the request lacks tools that must run, or only a process
 * with a newer version of Nestor can continue the turn. `invalid`: the approvals or the request do
 * not fit the turn. `forbidden`: the `ApprovalPolicy` does not allow it, or a token is not valid.
 */
export type ToolApprovalProblem = 'not-found' | 'conflict' | 'uncertain' | 'unavailable' | 'invalid' | 'forbidden';

/** A turn cannot be resumed as requested. Nothing was run; the turn, if it exists, still waits. */
export class ToolApprovalException extends Error {
  override readonly name = 'ToolApprovalException';

  /** @param uncertainCalls the calls that may have run, if the problem is `uncertain` */
  constructor(
    message: string,
    readonly problem: ToolApprovalProblem = 'invalid',
    readonly uncertainCalls: readonly ToolCall[] = [],
  ) {
    super(message);
  }
}

import type { CallApproval } from '../model/call-approval.js';
import type { ToolCall } from '../model/messages.js';
import type { PendingInput } from '../model/pending-input.js';
import type { AnsweredCall } from './answered-call.js';
import { withApprovedArguments } from './call-approvals.js';
import type { CallRecorder } from './call-recorder.js';
import type { ToolCallBatch } from './tool-call-batch.js';

/** A call that passed the limits and approvals. */
export interface PermittedCall {
  readonly batch: ToolCallBatch;
  /** The call as the model requested it. */
  readonly original: ToolCall;
  /** The call as it was approved. */
  readonly call: ToolCall;
  /** Details about its approval. Undefined if there was no decision about the call. */
  readonly approval: CallApproval | undefined;
  /** What it asked its user for, with the answer. Undefined if it has not asked yet. */
  readonly input: PendingInput | undefined;
  /** Undefined if calls are not recorded. */
  readonly recorder: CallRecorder | undefined;
}

export function permit(batch: ToolCallBatch, original: ToolCall, recorder: CallRecorder | undefined): PermittedCall {
  const { approved } = batch;
  const decision = approved?.approvalOf(original.id);
  const input = approved?.inputOf(original.id);
  if (!decision) return { batch, original, call: original, approval: undefined, input, recorder };
  const approval = approved!.callApprovalOf(original.id) ?? {};
  return { batch, original, call: withApprovedArguments(original, decision), approval, input, recorder };
}

/** Adds the call that ran and its approval to the answer. */
export async function withApproval(
  answering: Promise<AnsweredCall>,
  { original, call, approval }: PermittedCall,
): Promise<AnsweredCall> {
  return { ...(call !== original && { changed: call }), ...(await answering), approval: approval! };
}

import type { ToolCall } from '../model/messages.js';
import { type AnsweredCall, PENDING } from './answered-call.js';
import { deniedText } from './approvals.js';
import type { ToolCallBatch } from './tool-call-batch.js';
import type { ToolCallLog } from './tool-call-log.js';

/** Whether the provider runs a call, after a human has approved it. */
export function isRunByProvider({ providerApprovalId }: ToolCall): boolean {
  return providerApprovalId !== undefined;
}

/**
 * The answer to a call that the provider runs: the human decision, or that the call waits for one.
 * The provider reads the decision in the next round, and runs the call if it was approved.
 */
export function decideForProvider({ approved }: ToolCallBatch, call: ToolCall, log: ToolCallLog): AnsweredCall {
  const approval = approved?.callApprovals.get(call.id);
  const decision = approved?.approvals.get(call.id);
  if (!decision?.approved) log.failed(call, decision ? 'denied' : 'pending_approval', undefined, approval);
  if (!decision) return PENDING;
  const { reason, approved: isApproved } = decision;
  const responseData = isApproved
    ? `The user has approved the call of '${call.name}'. The provider runs it.`
    : deniedText(call, decision, approved!);
  return {
    response: {
      id: call.id,
      name: call.name,
      responseData,
      ...(!isApproved && { isError: true, isDenied: true }),
      providerApproval: {
        approvalId: call.providerApprovalId!,
        approved: isApproved,
        ...(reason !== undefined && { reason }),
      },
    },
    returnDirect: false,
    ...(approval && { approval }),
  };
}

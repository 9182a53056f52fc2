import type { CallApproval } from '../model/call-approval.js';
import type { ToolCall } from '../model/messages.js';
import type { ToolApproval } from '../model/tool-approval.js';

/**
 * The details of the approval of each call.
 *
 * @param asked the calls as they would run without a decision
 * @param approverOf the subject that decided about a call
 * @param earlier the approvals of calls that were approved before and interrupted
 */
export function callApprovalsOf(
  asked: readonly ToolCall[],
  decisions: readonly ToolApproval[],
  approverOf?: (callId: string) => string | undefined,
  earlier: Readonly<Record<string, CallApproval>> = {},
): ReadonlyMap<string, CallApproval> {
  const known = new Map(Object.entries(earlier));
  for (const decision of decisions) {
    const call = asked.find(({ id }) => id === decision.toolCallId);
    const isChanged = call && withApprovedArguments(call, decision).arguments !== call.arguments;
    const modelArguments = known.get(decision.toolCallId)?.modelArguments ?? (isChanged ? call.arguments : undefined);
    const approver = approverOf?.(decision.toolCallId);
    known.set(decision.toolCallId, {
      ...(approver !== undefined && { approver }),
      ...(modelArguments !== undefined && { modelArguments }),
    });
  }
  return known;
}

/** The call with the arguments from the approval, if it changes them. */
export function withApprovedArguments(call: ToolCall, approval: ToolApproval | undefined): ToolCall {
  const given = approval?.approved ? approval.arguments : undefined;
  if (given === undefined) return call;
  return { ...call, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}

/**
 * The arguments of a call as JSON text: `{}` if there are none. Some adapters pass parsed values.
 */
export function toInputText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return given === undefined || given === null ? '{}' : JSON.stringify(given);
}

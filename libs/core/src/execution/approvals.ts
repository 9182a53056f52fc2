import type { AssistantMessage, Message, ToolCall, ToolResponse } from '../model/messages.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { Resumption } from '../model/turn-context.js';

/** What is known of the calls of a message when it is executed again, after humans have had their say. */
export interface ApprovedExecution {
  readonly asked: AssistantMessage;
  readonly approvals: ReadonlyMap<string, ToolApproval>;
  /** The responses that there are already. */
  readonly responses: ReadonlyMap<string, ToolResponse>;
  /** The conversation before the message. */
  readonly before: readonly Message[];
}

/** What the loop knows of a turn that goes on. */
export function ofResumption(
  { asked, responses, approvals }: Resumption,
  before: readonly Message[],
): ApprovedExecution {
  return {
    asked,
    approvals: new Map(approvals.map((approval) => [approval.toolCallId, approval])),
    responses: new Map(responses.map((given) => [given.id, given])),
    before,
  };
}

/**
 * Finds out that somebody who runs the loop himself executes a message again: there are approvals, and the history ends with the
 * message and some of its responses. Approvals for any other message say nothing.
 */
export function readContinuation(
  messages: readonly Message[],
  message: AssistantMessage,
  options: ChatOptions | undefined,
): ApprovedExecution | undefined {
  const last = messages.at(-1);
  const asked = messages.at(-2);
  if (!options?.toolApprovals || last?.role !== 'tool' || asked?.role !== 'assistant') return undefined;
  const { responses } = last;
  // A message whose calls are all answered is over.
  if (responses.length >= asked.toolCalls.length || !isSame(asked.toolCalls, message.toolCalls)) return undefined;
  return ofResumption({ asked, responses, approvals: options.toolApprovals }, messages.slice(0, -2));
}

/** Whether calls are those that a model made, whose ids and names may have been put right since. */
function isSame(kept: readonly ToolCall[], made: readonly ToolCall[]): boolean {
  if (kept.length !== made.length) return false;
  const ids = new Set<string>();
  return made.every(({ id }, at) => {
    const isOwn = typeof id === 'string' && id !== '' && !ids.has(id);
    ids.add(id);
    return isOwn ? kept[at]!.id === id : kept[at]!.arguments === made[at]!.arguments;
  });
}

/** The call with the arguments that a human has put in the place of the model's. */
export function withApprovedArguments(call: ToolCall, approval: ToolApproval | undefined): ToolCall {
  const given = approval?.approved ? approval.arguments : undefined;
  if (given === undefined) return call;
  return { ...call, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}

/** What the model is told of a call that a human has denied. */
export function deniedText({ name }: ToolCall, { reason }: ToolApproval): string {
  const why = reason?.trim() ? ` Reason: ${reason.trim()}` : '';
  return `The user has denied the call of '${name}', which was not run.${why} Do not repeat it unless the user asks for it.`;
}

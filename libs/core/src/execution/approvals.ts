import type { AssistantMessage, Message, ToolCall, ToolResponse } from '../model/messages.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { ToolApproval } from '../model/tool-approval.js';

/** What is known of the calls of a message when it is executed again, after humans have had their say. */
export interface ApprovedExecution {
  readonly approvals: ReadonlyMap<string, ToolApproval>;
  /** The responses that there are already. */
  readonly responses: ReadonlyMap<string, ToolResponse>;
  /** The conversation before the message. */
  readonly before: readonly Message[];
}

/**
 * Finds out that a message is executed again: there are approvals, and the history ends with the message and some of its
 * responses.
 */
export function readApprovals(
  messages: readonly Message[],
  message: AssistantMessage,
  options: ChatOptions | undefined,
): ApprovedExecution | undefined {
  if (!options?.toolApprovals) return undefined;
  const approvals = new Map(options.toolApprovals.map((approval) => [approval.toolCallId, approval]));
  const last = messages.at(-1);
  const asked = messages.at(-2);
  const isContinued =
    last?.role === 'tool' && asked?.role === 'assistant' && isSame(asked.toolCalls, message.toolCalls);
  return isContinued
    ? { approvals, responses: new Map(last.responses.map((given) => [given.id, given])), before: messages.slice(0, -2) }
    : { approvals, responses: new Map(), before: messages };
}

function isSame(a: readonly ToolCall[], b: readonly ToolCall[]): boolean {
  return a.length === b.length && a.every(({ id, name }, at) => id === b[at]!.id && name === b[at]!.name);
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

import type { AssistantMessage, Message, ToolCall } from '../model/messages.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnContinuation } from '../model/turn-continuation.js';
import { asParsed, readSafely } from '@nestor-ai/schema';
import { answeredInputs, toContinuation } from './pending-inputs.js';

/**
 * Detects that a caller who runs the loop executes a message again: there are approvals, and the
 * history ends with the message and some of its responses. Approvals for other messages are
 * ignored.
 *
 * @throws ToolApprovalException if an approval has no input that fits the form of its call
 */
export function readContinuation(
  messages: readonly Message[],
  message: AssistantMessage,
  options: ChatOptions | undefined,
): TurnContinuation | undefined {
  const last = messages.at(-1);
  const asked = messages.at(-2);
  if (!options?.toolApprovals || last?.role !== 'tool' || asked?.role !== 'assistant') return undefined;
  const { responses } = last;
  // If all calls of a message are answered, nothing is left to run.
  if (responses.length >= asked.toolCalls.length || !isSame(asked.toolCalls, message.toolCalls)) return undefined;
  const { toolApprovals: given, pendingInputs: pending } = options;
  const inputs = answeredInputs(pending, given);
  return toContinuation({ asked, responses, given, decisions: given, inputs, pending });
}

/**
 * Whether calls are the same as those in the model's message, although their ids and names may
 * have been repaired, and their arguments written as they were parsed.
 */
function isSame(kept: readonly ToolCall[], made: readonly ToolCall[]): boolean {
  if (kept.length !== made.length) return false;
  const ids = new Set<string>();
  return made.every(({ id, arguments: given }, at) => {
    const isOwn = typeof id === 'string' && id !== '' && !ids.has(id);
    ids.add(id);
    return isOwn ? kept[at]!.id === id : areSameArguments(kept[at]!.arguments, given);
  });
}

/**
 * Whether arguments are those that were given, which may have been written as they were parsed.
 */
export function areSameArguments(kept: string, given: string): boolean {
  return kept === given || kept === readSafely(() => asParsed(given));
}

/** The text for the model about a call that a human denied, or did not give the input for. */
export function deniedText({ id, name }: ToolCall, { reason }: ToolApproval, calls: TurnContinuation): string {
  const given = reason?.trim() ? reason.trim().replace(/(?<![.!?…])$/u, '.') : undefined;
  if (calls.uncertain.includes(id)) {
    const known = given ? ` What is known: ${given}` : ' Find out before you repeat it.';
    return `The call of '${name}' was interrupted: it may have run, and was not run again.${known}`;
  }
  const why = given ? ` Reason: ${given}` : '';
  const input = calls.inputs.get(id);
  if (input?.deferred)
    return `The user has cancelled the call of '${name}' before its result came. It may have had an effect.${why}`;
  // Whoever denies a call may be somebody else than the user whom the model talks to.
  const what = input
    ? `The user has declined to give the input that '${name}' asked for, so the call was not completed`
    : `The call of '${name}' was denied, and not run`;
  return `${what}.${why} Do not repeat it unless the user asks for it.`;
}

import { type AssistantMessage, type ToolCall, type ToolResponse, ToolResponseMessage } from '../model/messages.js';
import type { PendingInput } from '../model/pending-input.js';
import type { Prompt } from '../model/prompt.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { TurnContinuation } from '../model/turn-continuation.js';
import type { TurnControl } from '../model/turn-control.js';
import { shownRequest } from '../tool/input/input-request.js';
import { toInputText } from './call-approvals.js';
import { withToolCalls } from './repair-calls.js';
import type { LimitBreach } from './tool-call-limits.js';
import type { ResultLimit } from './result-limit.js';
import type { AnsweredCall } from './answered-call.js';
import type { ToolExecutionResult } from './tool-execution-result.js';

/** The calls of one message and the data to answer them. */
export interface ToolCallBatch {
  /** The prompt with the conversation before the message. */
  readonly prompt: Prompt;
  readonly message: AssistantMessage;
  readonly breaches: readonly (LimitBreach | undefined)[];
  /** The decisions, if the calls run after an approval. */
  readonly approved: TurnContinuation | undefined;
  readonly turn: TurnControl;
  /** Whether the model's answer was cut off. */
  readonly isCutOff: boolean;
}

/** Tells the model that its answer was cut off, if a call would run with the defaults for want of its arguments. */
export function cutOffText({ message }: ToolCallBatch, call: ToolCall, tool: ToolCallback): string | undefined {
  if (message.toolCalls.at(-1)!.id !== call.id || toInputText(call.arguments) !== '{}') return undefined;
  if (Object.keys(tool.toolDefinition.inputSchema.properties ?? {}).length === 0) return undefined;
  return `Your answer was cut off before the arguments of '${call.name}', so it did not run. Call it again.`;
}

/** The breaches of calls that are not counted. */
export const NO_BREACHES: readonly undefined[] = Object.freeze([]);

/** Combines the answers: the conversation with the responses, and the calls that wait. */
export function toResult(
  batch: ToolCallBatch,
  given: AnsweredCall | readonly AnsweredCall[],
  limit: ResultLimit,
): ToolExecutionResult {
  const { prompt, message } = batch;
  const answers = Array.isArray(given) ? (given as readonly AnsweredCall[]) : [given as AnsweredCall];
  const responses: ToolResponse[] = [];
  let pending: ToolCall[] | undefined;
  let inputs: [string, PendingInput][] | undefined;
  let changed: ToolCall[] | undefined;
  let returnDirect = true;
  for (let at = 0; at < answers.length; at++) {
    const answer = answers[at]!;
    returnDirect &&= answer.returnDirect;
    if (answer.changed) (changed ??= [...message.toolCalls])[at] = answer.changed;
    if (answer.response) responses.push(answer.response);
    // The call to approve must be the one that will run.
    else (pending ??= []).push(toPendingCall(answer.changed ?? message.toolCalls[at]!, answer));
    if (answer.input) (inputs ??= []).push([message.toolCalls[at]!.id, answer.input]);
  }
  // Answers for the caller go to the model if another call of the message has none.
  if (!returnDirect && !pending && answers.length > 1) {
    answers.forEach((answer, at) => {
      if (answer.returnDirect) responses[at] = limit.cutForModel(answer, batch).response!;
    });
  }
  const asked = changed ? withToolCalls(message, changed) : message;
  return {
    conversationHistory: [...prompt.messages, asked, new ToolResponseMessage({ responses })],
    returnDirect: !pending && returnDirect,
    ...(pending && { pendingApprovals: pending }),
    ...(inputs && { pendingInputs: Object.fromEntries(inputs) }),
  };
}

function toPendingCall(call: ToolCall, { input }: AnsweredCall): ToolCall {
  if (input?.deferred) return { ...call, deferred: true };
  return input ? { ...call, inputRequest: shownRequest(input.request) } : call;
}

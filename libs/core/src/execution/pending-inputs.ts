import type { DeferredCallException } from '../model/deferred-call.js';
import type { PendingInput, PendingInputs } from '../model/pending-input.js';
import type { CallApproval } from '../model/call-approval.js';
import type { AssistantMessage, ToolCall, ToolResponse } from '../model/messages.js';
import type { ToolApproval } from '../model/tool-approval.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { readSafely } from '@nestor-ai/schema';
import { isInputRequired, type ToolUserInput, waitOf } from '../model/tool-input-request.js';
import type { TurnContinuation } from '../model/turn-continuation.js';
import { checkInputRequest } from '../tool/input/input-request.js';
import { readUserInput } from '../tool/input/user-input.js';
import { unwrapped } from '../tool/tool-execution.exception.js';
import type { AnsweredCall } from './answered-call.js';
import { callApprovalsOf } from './call-approvals.js';

/** A message whose calls run again, with what is known of them and has been decided. */
export interface DecidedCalls {
  readonly asked: AssistantMessage;
  /** The responses that already exist. */
  readonly responses: readonly ToolResponse[];
  /** The decisions of the request. */
  readonly given: readonly ToolApproval[];
  /** The decisions with those about interrupted calls that run again by themselves. */
  readonly decisions: readonly ToolApproval[];
  /** The calls that asked for input, and what the user answered: see {@link answeredInputs}. */
  readonly inputs: ReadonlyMap<string, PendingInput>;
  /** The inputs as they were kept: see {@link answeredInputs}. */
  readonly pending: PendingInputs | undefined;
  /** The subject that decided about a call. */
  readonly approverOf?: (callId: string) => string | undefined;
  /** The approvals of calls that were approved before and interrupted. */
  readonly earlier?: Readonly<Record<string, CallApproval>> | undefined;
  /** The ids of calls that may have run, but whose responses are lost. */
  readonly uncertain?: readonly string[] | undefined;
}

/** The pending input of a call. The id comes from a model, which may name it `__proto__`. */
export function pendingInputOf(pending: PendingInputs | undefined, callId: string): PendingInput | undefined {
  return pending && Object.hasOwn(pending, callId) ? pending[callId] : undefined;
}

/**
 * The calls that ask for input, with the content that the decisions have for them.
 *
 * @throws ToolApprovalException if a decision has no input that fits the form, or has one for a
 *   call that does not ask
 */
export function answeredInputs(
  pending: PendingInputs | undefined,
  decisions: readonly ToolApproval[],
): ReadonlyMap<string, PendingInput> {
  const inputs = new Map(pending && Object.entries(pending));
  for (const decision of decisions) {
    if (!decision.approved) continue;
    const asked = inputs.get(decision.toolCallId);
    if (asked && !asked.content) inputs.set(decision.toolCallId, { ...asked, content: contentOf(decision, asked) });
    else if (decision.input !== undefined) refuseInput(decision, asked);
  }
  return inputs;
}

/**
 * The result of a call whose tool asks its user for input. If the error of the tool does not ask,
 * or what it asks cannot be shown, the result is an error.
 *
 * @param approval the approval of the call, which counts when it continues
 */
export function readInputRequest(
  error: unknown,
  approval: CallApproval | undefined,
): { readonly asking: AnsweredCall } | { readonly error: unknown } {
  const thrown = unwrapped(error);
  if (!isInputRequired(thrown)) return { error };
  try {
    const request = checkInputRequest(readSafely(() => thrown.request));
    const deferral = waitOf(thrown) === 'result' && toDeferral(thrown);
    return { asking: askingCall({ request, ...deferral, ...(approval && { approval }) }) };
  } catch (invalid) {
    return { error: invalid };
  }
}

/**
 * The result of a call whose input or result has not come yet. Undefined if it waits for none.
 *
 * @param queue the queue whose worker runs the turn. It runs the calls that wait for it
 */
export function stillAsking(calls: TurnContinuation, { id }: ToolCall, queue?: string): AnsweredCall | undefined {
  const input = calls.inputs.get(id);
  if (!input || input.content || input.delivered || isJobOf(queue, input)) return undefined;
  return askingCall(input);
}

function isJobOf(queue: string | undefined, input: PendingInput): boolean {
  return queue !== undefined && input.queue === queue;
}

function toDeferral({ queue }: DeferredCallException): Pick<PendingInput, 'deferred' | 'queue'> {
  return { deferred: true, ...(queue !== undefined && { queue }) };
}

function askingCall(input: PendingInput): AnsweredCall {
  return { returnDirect: false, outcome: input.deferred ? 'deferred' : 'input_required', input };
}

/** What the tool receives of the user's input. A copy: the tool must not change the kept one. */
export function toUserInput({ content, request }: PendingInput): ToolUserInput {
  const { state } = request;
  return structuredClone({ content: content!, ...(state !== undefined && { state }) });
}

/**
 * The calls to run again. An answer to a call that asked for input is no approval of that call,
 * but an approval from before it asked still counts.
 */
export function toContinuation(calls: DecidedCalls): TurnContinuation {
  const { asked, responses, given, decisions, inputs, pending, approverOf, earlier, uncertain = [] } = calls;
  const isAnswer = ({ toolCallId, approved }: ToolApproval): boolean => {
    const input = pendingInputOf(pending, toolCallId);
    return approved && input !== undefined && !input.content;
  };
  // A job runs with the approval from before.
  const jobs = [...inputs].filter(
    ([id, input]) => input.queue !== undefined && input.approval && !isDecided(given, id),
  );
  const kept = [...inputs].flatMap(([id, { approval }]) => (approval ? [[id, approval] as const] : []));
  const callApprovals = callApprovalsOf(
    asked.toolCalls,
    given.filter((decision) => !isAnswer(decision)),
    approverOf,
    { ...earlier, ...Object.fromEntries(kept) },
  );
  const approvals = decisions.flatMap((decision) => {
    if (!isAnswer(decision)) return decision;
    const { toolCallId, approved } = decision;
    return inputs.get(toolCallId)!.approval ? { toolCallId, approved } : [];
  });
  for (const [toolCallId] of jobs) approvals.push({ toolCallId, approved: true });
  return {
    asked,
    approvals: new Map(approvals.map((approval) => [approval.toolCallId, approval])),
    responses: new Map(responses.map((response) => [response.id, response])),
    uncertain,
    callApprovals,
    inputs,
  };
}

function isDecided(given: readonly ToolApproval[], callId: string): boolean {
  return given.some(({ toolCallId }) => toolCallId === callId);
}

function contentOf(
  { toolCallId, input, arguments: changed }: ToolApproval,
  asked: PendingInput,
): Readonly<Record<string, unknown>> {
  const { schema } = asked.request;
  if (asked.deferred) {
    throw new ToolApprovalException(
      `The tool call '${toolCallId}' waits for its result, which DeferredResults delivers. It cannot be approved, only denied.`,
      'conflict',
    );
  }
  if (changed !== undefined) {
    throw new ToolApprovalException(
      `The tool call '${toolCallId}' waits for input, so its arguments cannot be changed. Leave out 'arguments'.`,
    );
  }
  if (input === undefined) {
    if (!schema) return {};
    throw new ToolApprovalException(
      `The tool call '${toolCallId}' asks its user for input. Pass the fields of the form: { toolCallId, approved: true, ` +
        'input: { … } }, or deny the call.',
    );
  }
  const read = readUserInput(input, schema);
  if ('content' in read) return read.content;
  throw new ToolApprovalException(
    `The input of the tool call '${toolCallId}' does not fit its form: ${read.problems.join('; ')}. Correct it and send it again.`,
  );
}

function refuseInput({ toolCallId }: ToolApproval, known: PendingInput | undefined): never {
  throw new ToolApprovalException(
    known
      ? `The tool call '${toolCallId}' was interrupted after it got its input, and would run with the same. Leave out 'input'.`
      : `The tool call '${toolCallId}' does not ask for input. Leave out 'input' of the decision.`,
  );
}

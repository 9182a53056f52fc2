import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { fromMessageJson, jsonPart, toMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn } from '../memory/suspended-turn.repository.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message, type ToolCall, ToolResponseMessage } from '../model/messages.js';
import type { ToolApproval } from '../model/tool-approval.js';
import { TurnContinuation } from '../model/turn-continuation.js';
import type { TurnControl } from '../model/turn-control.js';
import type { Usage } from '../model/usage.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ToolApprovalException } from './tool-approval.exception.js';

/** What a suspended turn waits for. */
export interface TurnWait {
  readonly callId: string;
  /** `approval`: a human has to decide about the call. */
  readonly kind: 'approval';
  readonly call: ToolCall;
}

/** How far a turn has come. */
export interface TurnProgress {
  /** The conversation up to the last message that asks for tools, and the responses to it. */
  readonly messages: readonly Message[];
  /** The index of the round. */
  readonly round: number;
  readonly usageByRound: readonly Usage[];
}

/** A turn in which calls wait. */
export interface TurnToSuspend {
  readonly request: ChatClientRequest;
  readonly response: ChatClientResponse;
  readonly executed: ToolExecutionResult;
  readonly round: number;
  readonly usageByRound: readonly Usage[];
}

export function waitsOf({ pending }: SuspendedTurn): readonly TurnWait[] {
  return pending.map((call) => ({ callId: call.id, kind: 'approval', call }));
}

/** The record of a turn that is suspended. */
export function toSuspendedTurn(turn: TurnControl, suspended: TurnToSuspend): SuspendedTurn {
  const { request, response, executed, round, usageByRound } = suspended;
  const { metadata, result } = response.chatResponse!;
  const { finishReason } = result?.metadata ?? {};
  return {
    id: turn.id,
    revision: crypto.randomUUID(),
    suspendedAt: new Date().toISOString(),
    messages: executed.conversationHistory.map(toMessageJson),
    response: { metadata: jsonPart(metadata), ...(finishReason !== undefined && { finishReason }) },
    pending: executed.pendingApprovals!,
    options: storedOptions(request.prompt.options),
    context: jsonPart(request.context),
    round,
    usageByRound,
    toolCallCounts: countsOf(turn),
  };
}

/** The record of a turn that has failed after it was claimed, with what its tools have done. */
export function toRetainedTurn(
  held: SuspendedTurn,
  turn: TurnControl,
  progress: TurnProgress | undefined,
): SuspendedTurn {
  const { messages, round, usageByRound } = progress ?? { ...held, messages: interruptedMessages(held, turn) };
  const answered = new Set((messages.at(-1) as ToolResponseMessage).responses.map(({ id }) => id));
  return {
    ...held,
    revision: crypto.randomUUID(),
    messages: messages.map(toMessageJson),
    pending: progress ? [] : held.pending.filter(({ id }) => !answered.has(id)),
    round,
    usageByRound,
    toolCallCounts: countsOf(turn),
  };
}

/** Gives a turn what belongs to the suspended one that it goes on with. */
export function restore(turn: TurnControl, held: SuspendedTurn, approvals: readonly ToolApproval[]): TurnContinuation {
  const messages = held.messages.map(fromMessageJson);
  turn.resumeAs(held.id);
  turn.usageBefore = held.usageByRound;
  const { model } = held.response.metadata;
  if (typeof model === 'string') turn.modelBefore = model;
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls) turn.callIds.push(id);
  }
  const byName = new Map(Object.entries(held.toolCallCounts));
  turn.toolCallCounts = { byName, total: [...byName.values()].reduce((sum, count) => sum + count, 0) };
  const { responses } = messages.at(-1) as ToolResponseMessage;
  return (turn.continuation = new TurnContinuation(messages.at(-2) as AssistantMessage, responses, approvals));
}

/** What the model had answered when the turn was suspended. */
export function heldResponse({ response }: SuspendedTurn, output: AssistantMessage): ChatResponse {
  const { finishReason } = response;
  return new ChatResponse({
    results: [{ output, ...(finishReason !== undefined && { metadata: { finishReason } }) }],
    metadata: response.metadata,
  });
}

/** @throws ToolApprovalException when the approvals do not fit the turn, or the request another conversation */
export function checkFits(held: SuspendedTurn, approvals: readonly ToolApproval[], request: ChatClientRequest): void {
  const { id, context, messages } = held;
  const conversation = request.context[ChatMemory.CONVERSATION_ID];
  const heldConversation = context[ChatMemory.CONVERSATION_ID];
  if (conversation !== undefined && heldConversation !== undefined && conversation !== heldConversation) {
    throw new ToolApprovalException(`The turn '${id}' belongs to another conversation than the request.`);
  }
  const waits = waitsOf(held);
  const known = new Set<string>();
  for (const { toolCallId, approved } of approvals) {
    if (waits.length === 0 && !(approved && hasAnswered(messages, toolCallId))) {
      throw new ToolApprovalException(
        `The tools of the turn '${id}' have run. Go on with it with toolApprovals([], { turnId }), where nothing is to be decided.`,
      );
    }
    if (waits.length > 0 && !waits.some(({ callId }) => callId === toolCallId)) {
      const waiting = waits.map(({ callId, call }) => `'${callId}' (${call.name})`).join(', ');
      throw new ToolApprovalException(
        `No tool call '${toolCallId}' waits for approval in the turn '${id}'. Waiting: ${waiting}.`,
      );
    }
    if (known.has(toolCallId)) throw new ToolApprovalException(`The tool call '${toolCallId}' is decided twice.`);
    known.add(toolCallId);
  }
}

const INTERRUPTED = 'It is not known whether this call has run, since it was interrupted. Find out before you repeat';

/** The conversation of a turn whose tools were interrupted: the calls that have ended, and those that may have run. */
function interruptedMessages(held: SuspendedTurn, { continuation }: TurnControl): readonly Message[] {
  const all = held.messages.map(fromMessageJson);
  const { toolCalls } = all.at(-2) as AssistantMessage;
  const known = new Map((all.at(-1) as ToolResponseMessage).responses.map((response) => [response.id, response]));
  for (const { id, name } of toolCalls) {
    if (known.has(id) || !continuation?.hasBegun(id)) continue;
    const response = continuation.newResponseTo(id);
    known.set(id, response ?? { id, name, responseData: `${INTERRUPTED} '${name}'.`, isError: true });
  }
  const responses = toolCalls.flatMap(({ id }) => known.get(id) ?? []);
  return [...all.slice(0, -1), new ToolResponseMessage({ responses })];
}

function hasAnswered(messages: SuspendedTurn['messages'], toolCallId: string): boolean {
  const { responses } = messages.at(-1) as unknown as ToolResponseMessage;
  return responses.some(({ id }) => id === toolCallId);
}

function countsOf(turn: TurnControl): Readonly<Record<string, number>> {
  return Object.fromEntries(turn.toolCallCounts?.byName ?? []);
}

/** The options without those that the request which resumes the turn brings itself. */
function storedOptions(options: ChatOptions | undefined): Record<string, unknown> {
  const {
    toolCallbacks: _tools,
    toolContext: _context,
    toolNames: _names,
    toolApprovals: _approvals,
    suspendedTurnId: _id,
    signal: _signal,
    ...rest
  } = options ?? {};
  return jsonPart(rest);
}

import { isDeepStrictEqual } from 'node:util';
import { pendingInputOf, toContinuation } from '../execution/pending-inputs.js';
import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { fromMessageJson, jsonPart, toMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn } from '../memory/suspended-turn.repository.js';
import type { ModelAnsweredEntry, TurnEntry } from '../memory/turn-entry.js';
import { AiShutdownException } from '../model/ai-shutdown.exception.js';
import { ConversationBusyException } from './conversation-busy.exception.js';
import { BLANK_TURN } from '../memory/turn-state.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import type { AssistantMessage, Message, ToolCall, ToolResponse, ToolResponseMessage } from '../model/messages.js';
import type { PendingInput } from '../model/pending-input.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnContinuation } from '../model/turn-continuation.js';
import type { TurnControl } from '../model/turn-control.js';
import { isUntrusted } from '../model/untrusted.js';
import type { Usage } from '../model/usage.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { JOB_QUEUE } from '../execution/job-queue.js';

/** A pending call of a suspended turn. */
export interface TurnWait {
  readonly callId: string;
  /**
   * `approval`: the call needs approval. `input`: it asks its user for input. `result`: its result
   * comes later. `uncertain`: it may have run, and a caller must decide whether to run it again.
   */
  readonly kind: 'approval' | 'input' | 'result' | 'uncertain';
  readonly call: ToolCall;
}

/** The stored progress of a turn. */
export type TurnProgress = Pick<SuspendedTurn, 'round' | 'usageByRound' | 'response'>;

/** The state of a turn that must be suspended. */
export interface TurnToSuspend {
  readonly request: ChatClientRequest;
  readonly response: ChatClientResponse;
  readonly executed: ToolExecutionResult;
  readonly round: number;
  readonly usageByRound: readonly Usage[];
}

/** A suspended turn that a request resumes. */
export interface Resumption {
  readonly held: SuspendedTurn;
  readonly approvals: readonly ToolApproval[];
  /** The calls that asked for input, and what the user answered. */
  readonly inputs: ReadonlyMap<string, PendingInput>;
  /** The messages of the turn. */
  readonly messages: readonly Message[];
  readonly response: ChatClientResponse;
}

export function waitsOf({ pending, begun }: SuspendedTurn): readonly TurnWait[] {
  return pending.map((call) => {
    const { id, inputRequest, deferred } = call;
    const kind = begun?.includes(id) ? 'uncertain' : deferred ? 'result' : inputRequest ? 'input' : 'approval';
    return { callId: id, kind, call };
  });
}

/**
 * The model's last message: the one with the pending calls, or the answer of the turn. Only for a
 * turn that the model has answered.
 */
export function askedOf({ messages, phase }: SuspendedTurn): AssistantMessage {
  return fromMessageJson(messages.at(phase ? -1 : -2)!) as AssistantMessage;
}

/** The responses to the calls that have already run. */
export function responsesOf({ messages }: SuspendedTurn): readonly ToolResponse[] {
  return (fromMessageJson(messages.at(-1)!) as ToolResponseMessage).responses;
}

/** The number of messages before the model's last message. */
export function spokenBefore({ messages, phase }: SuspendedTurn): number {
  return messages.length - (phase === 'asking' ? 0 : phase === 'answered' ? 1 : 2);
}

/** The turn before its answer, to ask the model again. */
export function withoutAnswer({ phase, messages, ...held }: SuspendedTurn): SuspendedTurn {
  if (phase !== 'answered') return { ...held, messages, ...(phase && { phase }) };
  const asked = messages.slice(0, -1);
  return { ...held, messages: asked, ...(asked.at(-1)?.role !== 'tool' && { phase: 'asking' }) };
}

/**
 * A new turn.
 *
 * @param entries the number of entries of a turn that was queued
 */
export function toNewTurn(turn: TurnControl, entries = 0): SuspendedTurn {
  const { requester } = turn;
  const client = clientOf(turn);
  return {
    ...BLANK_TURN,
    id: turn.id,
    revision: entries,
    ...(requester !== undefined && { requester }),
    ...(client !== undefined && { client }),
    suspendedAt: new Date().toISOString(),
  };
}

/** The name of the client that runs the turn. */
export function clientOf({ scope }: TurnControl): string | undefined {
  return scope.services?.clientName;
}

/**
 * The key in the response's context for the messages of a resumed turn, for advisors outside the
 * loop.
 */
export const RESUMED_MESSAGES = 'ai.turn.resumed-messages';

/** The part of an advisor context to store. */
export function storedContextOf(context: ChatClientRequest['context']): Record<string, unknown> {
  const { [RESUMED_MESSAGES]: _known, ...rest } = context;
  return jsonPart(rest);
}

/** The stored part of a model's answer, apart from its message. */
export function factsOf({ metadata, result }: ChatResponse): SuspendedTurn['response'] {
  const { finishReason } = result?.metadata ?? {};
  return { metadata: jsonPart(metadata), ...(finishReason !== undefined && { finishReason }) };
}

/** Restores the state of a suspended turn in a new one. */
export function restore(turn: TurnControl, held: SuspendedTurn): void {
  turn.resumeAs(held.id, held.requester);
  turn.usageBefore = held.usageByRound;
  const { model } = held.response.metadata;
  if (typeof model === 'string') turn.modelBefore = model;
  for (const { role, toolCalls } of held.messages as readonly Partial<AssistantMessage>[]) {
    if (role === 'assistant') for (const { id } of toolCalls ?? []) turn.callIds.push(id);
  }
  // The model has not read the last message, the tool responses.
  if (held.messages.slice(0, -1).some((json) => isUntrusted(fromMessageJson(json)))) turn.scope.readUntrusted();
  const byName = new Map(Object.entries(held.toolCallCounts));
  turn.toolCallCounts = { byName, total: [...byName.values()].reduce((sum, count) => sum + count, 0) };
}

/**
 * The calls of the turn that run now.
 *
 * @param decisions those of the request, and those about interrupted calls that run again by
 *   themselves
 */
export function continuationOf(
  { caller }: TurnControl,
  { held, approvals, inputs }: Resumption,
  decisions: readonly ToolApproval[],
): TurnContinuation {
  return toContinuation({
    asked: askedOf(held),
    responses: responsesOf(held),
    given: approvals,
    decisions,
    inputs,
    pending: held.inputs,
    approverOf: (callId) => approverOf(held, callId, caller),
    earlier: held.approvals,
    uncertain: held.begun,
  });
}

function approverOf({ decisions }: SuspendedTurn, callId: string, caller: string | undefined): string | undefined {
  if (!decisions) return caller;
  return decisions.findLast((one) => one.decisions.some(({ toolCallId }) => toolCallId === callId))?.approver;
}

/** The model's last answer. Undefined if it has not answered yet. */
export function heldResponse(held: SuspendedTurn): ChatResponse | undefined {
  if (held.phase === 'asking') return undefined;
  const { finishReason, metadata } = held.response;
  return new ChatResponse({
    results: [{ output: askedOf(held), ...(finishReason !== undefined && { metadata: { finishReason } }) }],
    metadata,
  });
}

/** The number of calls of each tool in a turn. */
export function countsOf(turn: TurnControl): Readonly<Record<string, number>> {
  return Object.fromEntries(turn.toolCallCounts?.byName ?? []);
}

/**
 * The options to store, without those that the resuming request provides itself. Headers may
 * contain secrets.
 */
export function storedOptionsOf(options: ChatOptions | undefined): Record<string, unknown> {
  const {
    toolCallbacks: _tools,
    toolContext: _context,
    toolNames: _names,
    providerTools: _providerTools,
    headers: _headers,
    toolApprovals: _approvals,
    pendingInputs: _inputs,
    suspendedTurnId: _id,
    signal: _signal,
    ...rest
  } = options ?? {};
  return jsonPart(rest);
}

/**
 * Hands a suspended turn whose calls run as jobs to the workers of these jobs. If the queue loses
 * it, they find it in the journal.
 */
export async function queueLongTools({ id, scope }: TurnControl, { executed }: TurnToSuspend): Promise<void> {
  const waiting = Object.values(executed.pendingInputs ?? {});
  const queue = waiting.find((input) => input.queue !== undefined)?.queue;
  if (queue !== undefined) await scope.services?.get(JOB_QUEUE)?.add(id, { queue });
}

/** The messages that are not recorded yet, and how many come before them. */
export function newMessages(
  known: readonly Message[],
  messages: readonly Message[],
): Pick<ModelAnsweredEntry, 'from' | 'messages'> {
  let from = 0;
  while (from < messages.length && from < known.length && isSame(known[from]!, messages[from]!)) from++;
  return { from, messages: messages.slice(from).map(toMessageJson) };
}

function isSame(a: Message, b: Message): boolean {
  return a === b || (a.role === 'tool' && b.role === 'tool' && isDeepStrictEqual(a, b));
}

/** The entry for a call whose code starts. */
export function toCallBegan(
  call: ToolCall,
  continuation: TurnContinuation | undefined,
  { approvals, inputs }: SuspendedTurn,
): TurnEntry {
  const approval = continuation?.callApprovals.get(call.id) ?? approvals?.[call.id];
  const input = continuation?.inputs.get(call.id) ?? pendingInputOf(inputs, call.id);
  return { kind: 'call-began', call, ...(approval && { approval }), ...(input?.content && { input }) };
}

/** Whether a turn that failed is still running: a shutdown interrupted it, or a worker tries it again. */
export function isTriedAgain(error: unknown, { scope }: TurnControl): boolean {
  if (error instanceof AiShutdownException || error instanceof ConversationBusyException) return true;
  return scope.continued?.isRetried === true;
}

/** The options to store, if they are not stored yet. */
export function newOptions(
  options: ChatOptions | undefined,
  stored: Pick<SuspendedTurn, 'options'>,
): Pick<ModelAnsweredEntry, 'options'> {
  const kept = storedOptionsOf(options);
  return isDeepStrictEqual(kept, stored.options) ? {} : { options: kept };
}

export function callIdsOf(message: AssistantMessage | undefined): readonly string[] | undefined {
  return message?.toolCalls.map(({ id }) => id);
}

import { answeredInputs, pendingInputOf } from '../execution/pending-inputs.js';
import { isRunByProvider } from '../execution/provider-approval.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ChatMemory } from '../memory/chat-memory.js';
import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import { checkEntriesAreKnown } from '../memory/unknown-entries.js';
import type { ChatOptions } from '../model/chat-options.js';
import { findTool } from '../model/find-tool.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ApprovalRules } from './approvals/approval-policy.js';
import { findTurn, type TurnSeeker } from './approvals/turn-lookup.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { askedOf, clientOf, responsesOf, waitsOf } from './suspension.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';

/**
 * @throws ToolApprovalException if the approvals do not fit the turn, or the turn belongs to
 *   another conversation or client
 */
export function checkFits(
  held: SuspendedTurn,
  approvals: readonly ToolApproval[],
  { context }: ChatClientRequest,
  turn: TurnControl,
): void {
  const { id } = held;
  if (context[ChatMemory.CONVERSATION_ID] !== held.context[ChatMemory.CONVERSATION_ID]) {
    throw new ToolApprovalException(
      `The turn '${id}' belongs to another conversation than this request. Set the same one as in the first request: ` +
        '.conversation(id).',
      'not-found',
    );
  }
  if (held.client !== undefined && held.client !== clientOf(turn)) {
    throw new ToolApprovalException(
      `The turn '${id}' belongs to the client '${held.client}'. Resume it with that client, which has the same advisors.`,
      'not-found',
    );
  }
  checkDecisions(held, approvals);
}

/**
 * Finds the turn that a request decides about.
 *
 * @throws ToolApprovalException if there is none, the request may not decide, or its decisions do not fit
 */
export async function findToDecide(
  repository: SuspendedTurnRepository,
  rules: ApprovalRules,
  seeker: TurnSeeker,
): Promise<SuspendedTurn> {
  const turn = await findTurn(repository, rules, seeker);
  checkEntriesAreKnown(turn);
  checkDecisions(turn, seeker.approvals);
  answeredInputs(turn.inputs, seeker.approvals);
  return turn;
}

/** @throws ToolApprovalException if the decisions do not fit the calls that wait */
function checkDecisions(held: SuspendedTurn, approvals: readonly ToolApproval[]): void {
  const { id } = held;
  const waits = waitsOf(held);
  const known = new Set<string>();
  for (const { toolCallId, approved, arguments: changed } of approvals) {
    const answer = answerOf(held, toolCallId);
    // A request that failed after its decision was carried out may be repeated, unless another call
    // needs approval or input now.
    const isRepeated = answer && approved === !answer.isDenied && waits.every(({ kind }) => kind === 'uncertain');
    if (waits.length === 0 && !isRepeated) {
      throw new ToolApprovalException(
        `The tools of the turn '${id}' have already run. Resume it without decisions: toolApprovals([], { turnId }).`,
        'conflict',
      );
    }
    if (!isRepeated && !waits.some(({ callId }) => callId === toolCallId)) {
      const waiting = waits.map(({ callId, call }) => `'${callId}' (${call.name})`).join(', ');
      throw new ToolApprovalException(
        `No tool call '${toolCallId}' waits for approval in the turn '${id}'. Waiting: ${waiting}.`,
        answer ? 'conflict' : 'not-found',
      );
    }
    if (changed !== undefined && waits.some(({ callId, call }) => callId === toolCallId && isRunByProvider(call))) {
      throw new ToolApprovalException(
        `The provider runs the tool call '${toolCallId}', so its arguments cannot be changed. Approve or deny it as it is.`,
      );
    }
    if (known.has(toolCallId))
      throw new ToolApprovalException(`There are two decisions about the tool call '${toolCallId}'.`);
    known.add(toolCallId);
  }
}

function answerOf({ messages }: SuspendedTurn, toolCallId: string): ToolResponse | undefined {
  const answers = messages.flatMap(({ role, responses }) => (role === 'tool' ? (responses as ToolResponse[]) : []));
  return answers.findLast(({ id }) => id === toolCallId);
}

/**
 * Adds decisions for interrupted calls whose tools are `replaySafe`: they run again.
 *
 * @throws ToolApprovalException if there is no decision about a call that may have run
 */
export function decideUncertain(
  held: SuspendedTurn,
  approvals: readonly ToolApproval[],
  options: ChatOptions | undefined,
): readonly ToolApproval[] {
  const uncertain = waitsOf(held).flatMap(({ kind, call }) => (kind === 'uncertain' ? call : []));
  if (uncertain.length === 0) return approvals;
  const undecided: ToolCall[] = [];
  const decisions = approvals.filter(({ toolCallId }) => !uncertain.some(({ id }) => id === toolCallId));
  for (const call of uncertain) {
    const decision = approvals.find(({ toolCallId }) => toolCallId === call.id);
    const isReplayed = decision?.replay === true || isReplaySafe(call, options);
    if (decision && (!decision.approved || isReplayed)) decisions.push(decision);
    else if (isReplayed) decisions.push({ toolCallId: call.id, approved: true });
    else undecided.push(call);
  }
  if (undecided.length === 0) return decisions;
  const named = undecided.map(({ id, name }) => `'${id}' (${name})`).join(', ');
  throw new ToolApprovalException(
    `Calls of the turn '${held.id}' were interrupted and may have run: ${named}. Find out whether they did, and decide ` +
      'about each: { toolCallId, approved: true, replay: true } runs it (again); { toolCallId, approved: false, reason } ' +
      'does not run it and tells the model the reason. Declare a tool replaySafe if its calls may run twice.',
    'uncertain',
    undecided,
  );
}

function isReplaySafe({ name }: ToolCall, options: ChatOptions | undefined): boolean {
  return findTool(options?.toolCallbacks, name)?.toolMetadata?.replaySafe === true;
}

/** @throws ToolApprovalException if the request lacks tools that must run */
export async function checkTools(
  held: SuspendedTurn,
  decisions: readonly ToolApproval[],
  prompt: Prompt,
  manager: ToolCallingManager,
): Promise<void> {
  const approved = new Set(decisions.filter((decision) => decision.approved).map(({ toolCallId }) => toolCallId));
  const missing = new Set<string>();
  const answered = new Set(responsesOf(held).map(({ id }) => id));
  const waiting = new Set(held.pending.map(({ id }) => id));
  for (const call of askedOf(held).toolCalls) {
    const isDecided = approved.has(call.id) || pendingInputOf(held.inputs, call.id)?.delivered !== undefined;
    const isToRun = !answered.has(call.id) && (isDecided || !waiting.has(call.id));
    if (isToRun && !(await manager.hasTool(call, prompt))) missing.add(`'${call.name}'`);
  }
  if (missing.size === 0) return;
  throw new ToolApprovalException(
    `The turn '${held.id}' needs tools that this request does not have: ${[...missing].join(', ')}. Pass the same tools ` +
      'as in the first request.',
    'unavailable',
  );
}

/** The exception for a turn that another request has resumed. */
export function goingOn(turnId: string): ToolApprovalException {
  return new ToolApprovalException(
    `The turn '${turnId}' was already resumed: another request decided about its tool calls.`,
    'conflict',
  );
}

/** The decisions about calls that are still pending. */
export function openOf({ pending }: SuspendedTurn, approvals: readonly ToolApproval[]): readonly ToolApproval[] {
  return approvals.filter(({ toolCallId }) => pending.some(({ id }) => id === toolCallId));
}

/**
 * Suspends an interrupted turn until there is a decision about its calls that may have run.
 *
 * @returns the revision with which it waits. Undefined if another request has the turn
 */
export async function waitForDecision(
  held: SuspendedTurn,
  repository: SuspendedTurnRepository,
): Promise<number | undefined> {
  const { revision, claim: _claim, status: _status, ...data } = held;
  const { pending, context, inputs, messages } = held;
  // The last message has the responses. It is not part of the change.
  const from = messages.length - 1;
  return repository.save(data, {
    revision,
    entries: [{ kind: 'suspended', from, messages: [], pending, context, ...(inputs && { inputs }) }],
    status: 'suspended',
    owner: crypto.randomUUID(),
    lease: undefined,
  });
}

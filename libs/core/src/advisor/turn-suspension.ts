import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { fromMessageJson, toMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnContext } from '../model/turn-context.js';
import type { Usage } from '../model/usage.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ToolApprovalException } from './tool-approval.exception.js';

/** Where an advisor outside of the loop finds the messages of a turn that was resumed: in the context of the response. */
export const RESUMED_MESSAGES = 'ai.turn.resumed-messages';

/** A turn that goes on. */
export interface ResumedTurn {
  readonly request: ChatClientRequest;
  /** What the model had answered. */
  readonly response: ChatClientResponse;
  readonly round: number;
  readonly usageByRound: readonly Usage[];
}

/** A turn in which calls wait for approval. */
export interface TurnToSuspend {
  readonly request: ChatClientRequest;
  readonly response: ChatClientResponse;
  readonly executed: ToolExecutionResult;
  readonly round: number;
  readonly usageByRound: readonly Usage[];
}

/** Puts turns away while humans think, and takes them out again. */
export class TurnSuspension {
  constructor(private readonly repository: SuspendedTurnRepository) {}

  /** Keeps the turn, and gives the answer that asks for approval. */
  async suspend(
    turn: TurnContext,
    { request, response, executed, round, usageByRound }: TurnToSuspend,
  ): Promise<ChatResponse> {
    const { chatResponse } = response;
    const pending = executed.pendingApprovals!;
    const { metadata } = chatResponse!;
    const { finishReason } = chatResponse!.result?.metadata ?? {};
    await this.repository.save({
      id: turn.id,
      suspendedAt: new Date().toISOString(),
      messages: executed.conversationHistory.map(toMessageJson),
      response: { metadata: jsonPart(metadata), ...(finishReason !== undefined && { finishReason }) },
      pending,
      options: heldOptions(request.prompt.options),
      context: jsonPart(request.context),
      round,
      usageByRound,
      toolCallCounts: Object.fromEntries(turn.toolCallCounts?.byName ?? []),
    });
    const { text, reasoning } = chatResponse!.result!.output;
    return chatResponse!.with({
      results: [
        {
          output: new AssistantMessage({ text, toolCalls: pending, ...(reasoning !== undefined && { reasoning }) }),
          metadata: { finishReason: 'toolApprovalRequired', pendingApprovals: pending },
        },
      ],
      metadata: { ...metadata, turnId: turn.id },
    });
  }

  /**
   * Takes out the turn that approvals are for.
   *
   * @throws ToolApprovalException when there is none, or an approval fits none of its calls
   */
  async resume(
    request: ChatClientRequest,
    approvals: readonly ToolApproval[],
    turn: TurnContext,
  ): Promise<ResumedTurn> {
    const held = await this.#find(approvals, request.prompt.options?.suspendedTurnId);
    checkFits(held, approvals, request);
    if (!(await this.repository.remove(held.id))) {
      throw new ToolApprovalException(
        `The turn '${held.id}' is already going on: its tool calls were decided elsewhere.`,
      );
    }
    turn.id = held.id;
    turn.usageBefore = held.usageByRound;
    const byName = new Map(Object.entries(held.toolCallCounts));
    turn.toolCallCounts = { byName, total: [...byName.values()].reduce((sum, count) => sum + count, 0) };
    const messages = held.messages.map(fromMessageJson);
    const context = { ...held.context, ...request.context, [RESUMED_MESSAGES]: messages };
    return {
      request: { ...request, prompt: Prompt.of(messages, { ...request.prompt.options, ...held.options }), context },
      response: { chatResponse: toResponse(held, messages), context },
      round: held.round,
      usageByRound: held.usageByRound,
    };
  }

  async #find(approvals: readonly ToolApproval[], turnId: string | undefined): Promise<SuspendedTurn> {
    if (turnId !== undefined) {
      const found = await this.repository.findById(turnId);
      if (found) return found;
      throw new ToolApprovalException(`No turn '${turnId}' waits for approval. ${GONE}`);
    }
    const { toolCallId } = approvals[0] ?? {};
    if (toolCallId === undefined)
      throw new ToolApprovalException('Without an approval, the turn to go on with has to be named.');
    const [found, another] = await this.repository.findByToolCallId(toolCallId);
    if (!found) throw new ToolApprovalException(`No tool call '${toolCallId}' waits for approval. ${GONE}`);
    if (!another) return found;
    throw new ToolApprovalException(
      `A tool call '${toolCallId}' waits in more than one turn. Name the turn with toolApprovals([ … ], { turnId }): the response ` +
        'that asked for approval has it in its metadata.',
    );
  }
}

const GONE = 'It was decided already, it has been given up, or it is kept in another SuspendedTurnRepository.';

function checkFits(
  { id, pending, context }: SuspendedTurn,
  approvals: readonly ToolApproval[],
  request: ChatClientRequest,
): void {
  const conversation = request.context[ChatMemory.CONVERSATION_ID];
  const held = context[ChatMemory.CONVERSATION_ID];
  if (conversation !== undefined && held !== undefined && conversation !== held) {
    throw new ToolApprovalException(`The turn '${id}' belongs to another conversation than the request.`);
  }
  const known = new Set<string>();
  for (const { toolCallId } of approvals) {
    if (!pending.some((call) => call.id === toolCallId)) {
      const waiting = pending.map((call) => `'${call.id}' (${call.name})`).join(', ');
      throw new ToolApprovalException(
        `No tool call '${toolCallId}' waits for approval in the turn '${id}'. Waiting: ${waiting}.`,
      );
    }
    if (known.has(toolCallId)) throw new ToolApprovalException(`The tool call '${toolCallId}' is decided twice.`);
    known.add(toolCallId);
  }
}

function toResponse({ response }: SuspendedTurn, messages: readonly Message[]): ChatResponse {
  const { finishReason } = response;
  const output = messages.at(-2) as AssistantMessage;
  return new ChatResponse({
    results: [{ output, ...(finishReason !== undefined && { metadata: { finishReason } }) }],
    metadata: response.metadata,
  });
}

/** What the request that resumes the turn brings itself is not kept. */
function heldOptions(options: ChatOptions | undefined): Record<string, unknown> {
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

/** The entries that are the same after they were JSON. */
function jsonPart(record: object): Record<string, unknown> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && isJson(value));
  return structuredClone(Object.fromEntries(entries));
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  return Object.values(value).every((item) => item === undefined || isJson(item));
}

import { Logger } from '@nestjs/common';
import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { fromMessageJson, jsonPart, toMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message, ToolResponseMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnContext } from '../model/turn-context.js';
import type { Usage } from '../model/usage.js';
import { errorTypeOf } from '../observability/error-type.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { checkFits, interrupted } from './held-turn.js';
import { ToolApprovalException } from './tool-approval.exception.js';

/** Where an advisor outside of the loop finds the messages of a turn that was resumed: in the context of the response. */
export const RESUMED_MESSAGES = 'ai.turn.resumed-messages';

/** A turn that goes on. */
export interface ResumedTurn {
  readonly held: SuspendedTurn;
  /** With the conversation before the message that asks for tools. */
  readonly request: ChatClientRequest;
  /** What the model had answered. */
  readonly response: ChatClientResponse;
}

/** A turn that has to be kept if it fails, and how far it has come. */
export interface KeptTurn {
  readonly resumed: ResumedTurn;
  readonly turn: TurnContext;
  /** The conversation up to the last responses of tools; undefined until all calls of the held message are answered. */
  readonly executed?: readonly Message[];
  readonly round?: number;
  readonly usageByRound?: readonly Usage[];
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
  readonly #logger = new Logger(TurnSuspension.name);

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
      revision: crypto.randomUUID(),
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
   * Finds the turn that approvals are for, and gives the context of the turn what belongs to it. It waits on until it is claimed.
   *
   * @throws ToolApprovalException when there is none, or an approval fits none of its calls
   */
  async find(request: ChatClientRequest, approvals: readonly ToolApproval[], turn: TurnContext): Promise<ResumedTurn> {
    const held = await this.#find(approvals, request.prompt.options?.suspendedTurnId);
    checkFits(held, approvals, request);
    const all = held.messages.map(fromMessageJson);
    const asked = all.at(-2) as AssistantMessage;
    const { responses } = all.at(-1) as ToolResponseMessage;
    turn.id = held.id;
    turn.usageBefore = held.usageByRound;
    const { model } = held.response.metadata;
    if (typeof model === 'string') turn.modelBefore = model;
    turn.resumption = { asked, responses, approvals };
    for (const message of all) {
      if (message.role === 'assistant') for (const { id } of message.toolCalls) turn.callIds.push(id);
    }
    const byName = new Map(Object.entries(held.toolCallCounts));
    turn.toolCallCounts = { byName, total: [...byName.values()].reduce((sum, count) => sum + count, 0) };
    const context = { ...held.context, ...request.context, [RESUMED_MESSAGES]: all };
    const messages = all.slice(0, -2);
    return {
      held,
      request: { ...request, prompt: Prompt.of(messages, { ...request.prompt.options, ...held.options }), context },
      response: { chatResponse: toResponse(held, asked), context },
    };
  }

  /** @throws ToolApprovalException when somebody else has claimed it, or decided something of it meanwhile */
  async claim({ held, request }: ResumedTurn): Promise<void> {
    const { toolCallbacks, toolNames } = request.prompt.options ?? {};
    if (held.pending.length > 0 && !toolCallbacks?.length && !toolNames?.length) {
      throw new ToolApprovalException(
        `The turn '${held.id}' goes on with its tools, but the request has none. Give it those that the first request had.`,
      );
    }
    const current = await this.repository.findById(held.id);
    if (current?.revision === held.revision && (await this.repository.remove(held.id, held.revision))) return;
    throw new ToolApprovalException(
      `The turn '${held.id}' is already going on: its tool calls were decided elsewhere.`,
    );
  }

  /**
   * Puts a turn back that has failed while it went on. Nothing that has run is forgotten, and nothing that may have run waits any more.
   *
   * @param ifWaiting only when calls still wait
   */
  async putBack({ resumed, turn, ...done }: KeptTurn, ifWaiting = false): Promise<void> {
    const { held } = resumed;
    const { executed = interrupted(held, turn), round = held.round, usageByRound = held.usageByRound } = done;
    const answered = new Set((executed.at(-1) as ToolResponseMessage).responses.map(({ id }) => id));
    const pending = done.executed ? [] : held.pending.filter(({ id }) => !answered.has(id));
    if (ifWaiting && pending.length === 0) return;
    try {
      await this.repository.save({
        ...held,
        revision: crypto.randomUUID(),
        messages: executed.map(toMessageJson),
        pending,
        round,
        usageByRound,
        toolCallCounts: Object.fromEntries(turn.toolCallCounts?.byName ?? []),
      });
    } catch (error) {
      // What the turn has failed with matters more.
      this.#logger.error(`The suspended turn '${held.id}' could not be put back: ${errorTypeOf(error)}`);
    }
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

const GONE =
  'It was decided already (a turn that failed after its tools had run goes on with toolApprovals([], { turnId })), it has been given up, ' +
  'or it is kept in another SuspendedTurnRepository.';

function toResponse({ response }: SuspendedTurn, output: AssistantMessage): ChatResponse {
  const { finishReason } = response;
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

import { Logger } from '@nestjs/common';
import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import { fromMessageJson } from '../memory/message-json.js';
import { FinishReason } from '../model/finish-reason.js';
import type { Awaitable } from '../model/awaitable.js';
import type { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnControl } from '../model/turn-control.js';
import { errorTypeOf } from '../observability/error-type.js';
import type { Advisor } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import {
  checkFits,
  heldResponse,
  restore,
  toRetainedTurn,
  toSuspendedTurn,
  type TurnProgress,
  type TurnToSuspend,
} from './suspension.js';
import { ToolApprovalException } from './tool-approval.exception.js';

/** Where an advisor outside the loop finds the messages of a turn that was resumed: in the context of the response. */
export const RESUMED_MESSAGES = 'ai.turn.resumed-messages';

/**
 * What a turn does now. `fresh`: it has not begun. `running`: the model or its tools work. `suspended`: calls wait for humans, and the turn
 * is stored. `claimed`: this request alone goes on with it, and its calls have not all ended. `answered`, `failed`: it is over. `expired`:
 * the turn that the request wants to go on with is not stored any more.
 */
export type TurnState = 'fresh' | 'running' | 'suspended' | 'claimed' | 'answered' | 'failed' | 'expired';

const TRANSITIONS: Readonly<Record<TurnState, readonly TurnState[]>> = {
  // A request with approvals goes on with a turn that is suspended.
  fresh: ['running', 'suspended', 'expired', 'failed'],
  running: ['suspended', 'answered', 'failed'],
  suspended: ['claimed'],
  // A turn that fails after it was claimed is stored again, and goes on in another request.
  claimed: ['running', 'suspended', 'answered', 'failed'],
  answered: [],
  failed: [],
  expired: [],
};

const logger = new Logger('ToolCallingAdvisor');

/** A suspended turn that a request goes on with. */
interface Resumption {
  readonly held: SuspendedTurn;
  readonly response: ChatClientResponse;
}

/** Knows what a turn does now and what comes next; stores it while humans think, and claims it when it goes on. */
export class TurnMachine {
  #state: TurnState = 'fresh';
  #resumption: Resumption | undefined;
  /** What the turn has done since it was claimed; undefined until all calls of the message that waited have ended. */
  #progress: TurnProgress | undefined;

  constructor(
    private readonly turn: TurnControl,
    private readonly repository: SuspendedTurnRepository,
  ) {}

  get state(): TurnState {
    return this.#state;
  }

  /** Whether the tools of a turn that goes on come next, instead of the model. */
  get runsHeldTools(): boolean {
    return this.#state === 'claimed';
  }

  /** The turn that the request goes on with; undefined for a new one. */
  get resumption(): Resumption | undefined {
    return this.#resumption;
  }

  /**
   * Begins a turn, or finds the suspended one that the approvals of the request are for.
   *
   * @returns the request to go on with
   * @throws ToolApprovalException when there is no such turn, or the approvals do not fit it
   */
  begin(request: ChatClientRequest): Awaitable<ChatClientRequest> {
    const { toolApprovals } = request.prompt.options ?? {};
    if (toolApprovals) return this.#find(request, toolApprovals);
    this.#become('running');
    return request;
  }

  /**
   * Claims the suspended turn for this request, and has the advisors behind the loop take part in it: they are not asked before its tools
   * run.
   *
   * @throws ToolApprovalException when the turn is going on elsewhere, or the request has no tools to go on with
   */
  async claim(request: ChatClientRequest, advisors: readonly Advisor[]): Promise<void> {
    const { held } = this.#resumption!;
    const { toolCallbacks, toolNames } = request.prompt.options ?? {};
    if (held.pending.length > 0 && !toolCallbacks?.length && !toolNames?.length) {
      throw new ToolApprovalException(
        `The turn '${held.id}' goes on with its tools, but the request has none. Give it those that the first request had.`,
      );
    }
    const current = await this.repository.findById(held.id);
    if (current?.revision !== held.revision || !(await this.repository.remove(held.id, held.revision))) {
      throw new ToolApprovalException(
        `The turn '${held.id}' is already going on: its tool calls were decided elsewhere.`,
      );
    }
    this.#become('claimed');
    for (const advisor of advisors) await advisor.joinTurn?.(request);
  }

  /** The calls of a message have ended, in a turn that goes on: their results are in the history. */
  toolsHaveRun(progress: TurnProgress): void {
    this.#progress = progress;
    if (this.#state === 'claimed') this.#become('running');
  }

  /** Stores the turn, and gives the answer that asks for approval. */
  async suspend(suspended: TurnToSuspend): Promise<ChatResponse> {
    const { turn } = this;
    const chatResponse = suspended.response.chatResponse!;
    const pending = suspended.executed.pendingApprovals!;
    await this.repository.save(toSuspendedTurn(turn, suspended));
    this.#become('suspended');
    const { text, reasoning } = chatResponse.result!.output;
    return chatResponse.with({
      results: [
        {
          output: new AssistantMessage({ text, toolCalls: pending, ...(reasoning !== undefined && { reasoning }) }),
          metadata: { finishReason: FinishReason.TOOL_APPROVAL_REQUIRED, pendingApprovals: pending },
        },
      ],
      metadata: { ...chatResponse.metadata, turnId: turn.id },
    });
  }

  answered(): void {
    this.#become('answered');
  }

  /** The turn was ended early. Calls that were decided and have not run may still be wanted. */
  async stopped(): Promise<void> {
    if (this.#isClaimed && !this.#progress) await this.#retain(true);
    // A turn that was not claimed goes on waiting.
    else if (this.#state !== 'suspended') this.#become('answered');
  }

  /** The turn has failed. One that was claimed is stored again: nothing that has run is forgotten. */
  async failed(): Promise<void> {
    if (this.#isClaimed) await this.#retain(false);
    else if (this.#state !== 'suspended') this.#become('failed');
  }

  get #isClaimed(): boolean {
    return this.#resumption !== undefined && (this.#state === 'claimed' || this.#state === 'running');
  }

  async #retain(onlyIfWaiting: boolean): Promise<void> {
    const retained = toRetainedTurn(this.#resumption!.held, this.turn, this.#progress);
    if (onlyIfWaiting && retained.pending.length === 0) return this.#become('answered');
    try {
      await this.repository.save(retained);
      this.#become('suspended');
    } catch (error) {
      // What the turn has failed with matters more.
      logger.error(`The suspended turn '${retained.id}' could not be put back: ${errorTypeOf(error)}`);
      this.#become('failed');
    }
  }

  async #find(request: ChatClientRequest, approvals: readonly ToolApproval[]): Promise<ChatClientRequest> {
    const held = await this.#load(approvals, request.prompt.options?.suspendedTurnId);
    checkFits(held, approvals, request);
    this.#become('suspended');
    const messages = held.messages.map(fromMessageJson);
    const { asked } = restore(this.turn, held, approvals);
    const context = { ...held.context, ...request.context, [RESUMED_MESSAGES]: messages };
    this.#resumption = { held, response: { chatResponse: heldResponse(held, asked), context } };
    const options = { ...request.prompt.options, ...held.options };
    return { ...request, prompt: Prompt.of(messages.slice(0, -2), options), context };
  }

  async #load(approvals: readonly ToolApproval[], turnId: string | undefined): Promise<SuspendedTurn> {
    if (turnId !== undefined) {
      const found = await this.repository.findById(turnId);
      return found ?? this.#expire(`No turn '${turnId}' waits for approval.`);
    }
    const { toolCallId } = approvals[0] ?? {};
    if (toolCallId === undefined)
      throw new ToolApprovalException('Without an approval, the turn to go on with has to be named.');
    const [found, another] = await this.repository.findByToolCallId(toolCallId);
    if (!found) return this.#expire(`No tool call '${toolCallId}' waits for approval.`);
    if (!another) return found;
    throw new ToolApprovalException(
      `A tool call '${toolCallId}' waits in more than one turn. Name the turn with toolApprovals([ … ], { turnId }): the response ` +
        'that asked for approval has it in its metadata.',
    );
  }

  #expire(text: string): never {
    this.#become('expired');
    throw new ToolApprovalException(
      `${text} It was decided already (a turn that failed after its tools had run goes on with toolApprovals([], { turnId })), it has been ` +
        'given up, or it is kept in another SuspendedTurnRepository.',
    );
  }

  #become(state: TurnState): void {
    if (!TRANSITIONS[this.#state].includes(state)) {
      throw new Error(`A turn that is ${this.#state} cannot become ${state}.`);
    }
    this.#state = state;
  }
}

import { answeredInputs } from '../execution/pending-inputs.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { isClaimedByAnother, type SuspendedTurn } from '../memory/suspended-turn.repository.js';
import { fromMessageJson } from '../memory/message-json.js';
import { FinishReason } from '../model/finish-reason.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import type { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { TurnControl } from '../model/turn-control.js';
import type { Usage } from '../model/usage.js';
import type { Advisor } from './advisor.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import type { TurnStore } from './loop-contract.js';
import { checkFits, checkTools, decideUncertain, goingOn, openOf } from './resumption-checks.js';
import {
  continuationOf,
  factsOf,
  heldResponse,
  RESUMED_MESSAGES,
  type Resumption,
  restore,
  toSuspendedTurn,
  type TurnToSuspend,
} from './suspension.js';
import { ApprovalPolicy, type ApprovalRules } from './approvals/approval-policy.js';
import { findTurn, type TurnSeeker } from './approvals/turn-lookup.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { TurnJournal } from './turn-journal.js';

/**
 * The state of a turn. `fresh`: not started. `running`: the model or its tools are working.
 * `suspended`: calls wait for approval, and the turn is stored. `uncertain`: the turn is stored,
 * and some of its calls may have run. `claimed`: only this request may resume it, and not all of
 * its calls have ended. `answered`, `failed`: the turn is over. `expired`: the turn to resume is
 * no longer stored.
 */
export type TurnState = 'fresh' | 'running' | 'suspended' | 'uncertain' | 'claimed' | 'answered' | 'failed' | 'expired';

const TRANSITIONS: Readonly<Record<TurnState, readonly TurnState[]>> = {
  // A request with approvals resumes a suspended turn.
  fresh: ['running', 'suspended', 'uncertain', 'expired', 'failed'],
  // A turn that fails after it was claimed is stored, and another request can resume it.
  running: ['suspended', 'uncertain', 'answered', 'failed'],
  suspended: ['claimed'],
  uncertain: ['claimed'],
  claimed: ['running', 'suspended', 'uncertain', 'answered'],
  answered: [],
  failed: [],
  expired: [],
};

/** Tracks the state of a turn, stores it while it waits for approval, and claims it for resuming. */
export class TurnMachine {
  #state: TurnState = 'fresh';
  #resumption: Resumption | undefined;
  /** The record of a resumed turn. */
  #journal: TurnJournal | undefined;
  /** Whether tools are running whose results the model does not have yet. */
  #areToolsRunning = false;

  constructor(
    private readonly turn: TurnControl,
    private readonly store: TurnStore,
  ) {}

  get state(): TurnState {
    return this.#state;
  }

  /** Whether the tools of a resumed turn run next, instead of the model. */
  get runsHeldTools(): boolean {
    return this.#state === 'claimed';
  }

  /** The turn that the request resumes; undefined for a new one. */
  get resumption(): Resumption | undefined {
    return this.#resumption;
  }

  /**
   * Starts a turn, or finds the suspended one that the request has approvals for.
   *
   * @returns the request to use
   * @throws ToolApprovalException if there is no such turn, or the approvals do not fit it
   */
  begin(request: ChatClientRequest): Awaitable<ChatClientRequest> {
    const { toolApprovals } = request.prompt.options ?? {};
    if (toolApprovals) return this.#find(request, toolApprovals);
    this.#become('running');
    return request;
  }

  /**
   * Claims the suspended turn for this request, and calls `joinTurn()` of the advisors inside the
   * loop, because the tools run before the next round.
   *
   * @throws ToolApprovalException if the turn was resumed elsewhere, the request lacks tools, or
   *   there is no decision about calls that may have run
   */
  async claim(request: ChatClientRequest, manager: ToolCallingManager, advisors: readonly Advisor[]): Promise<void> {
    const { held, approvals } = this.#resumption!;
    const decisions = decideUncertain(held, approvals, request.prompt.options);
    await checkTools(held, decisions, request.prompt, manager);
    const { repository, lease } = this.store;
    const journal = new TurnJournal(held, this.turn, repository, lease);
    const claiming = journal.claim();
    try {
      await this.turn.untilAborted(claiming);
    } catch (error) {
      // The request no longer needs a claim that arrives late.
      claiming.then(
        () => journal.release(),
        () => undefined,
      );
      throw error;
    }
    this.#become('claimed');
    this.#journal = journal;
    this.turn.journal = journal;
    this.turn.scope.keeper?.hold(journal, held.id);
    this.turn.continuation = continuationOf(this.turn, this.#resumption!, decisions);
    for (const advisor of advisors) await advisor.joinTurn?.(request);
  }

  /** Records that the tools of a message run next. */
  runsTools(response: ChatResponse, round: number, usageByRound: readonly Usage[]): void {
    this.#areToolsRunning = true;
    this.#journal?.reached({ response: factsOf(response), round, usageByRound });
  }

  /** Records that the calls of a message have ended and their results are in the history. */
  async toolsHaveRun(history: readonly Message[]): Promise<void> {
    await this.#journal!.answered(history);
    this.#areToolsRunning = false;
    if (this.#state === 'claimed') this.#become('running');
  }

  /** Stores the turn and returns the answer that asks for approval. */
  async suspend(suspended: TurnToSuspend): Promise<ChatResponse> {
    const { turn } = this;
    const chatResponse = suspended.response.chatResponse!;
    const pending = suspended.executed.pendingApprovals!;
    const { tokens } = this.#rules;
    const record = toSuspendedTurn(turn, suspended);
    const saving = this.#journal ? this.#journal.handOver(record) : this.store.repository.save(record);
    if (isPromise(saving)) await this.turn.untilAborted(saving);
    this.#become('suspended');
    const { metadata: _kept, ...said } = chatResponse.result!.output;
    return chatResponse.with({
      results: [
        {
          output: new AssistantMessage({ ...said, toolCalls: pending }),
          metadata: { finishReason: FinishReason.TOOL_APPROVAL_REQUIRED, pendingApprovals: pending },
        },
      ],
      metadata: {
        ...chatResponse.metadata,
        turnId: turn.id,
        ...(tokens && { approvalTokens: tokens.signAll(turn.id, pending) }),
      },
    });
  }

  answered(): void {
    this.#journal?.over();
    this.#become('answered');
  }

  /** Records that the turn was stopped. Decided calls that may or may not have run stay stored. */
  async stopped(): Promise<void> {
    if (this.#journal && (this.#areToolsRunning || this.#journal.hasUndecided)) await this.#release(this.#journal);
    // A turn that was not claimed still waits.
    else if (!this.#isStored) this.answered();
  }

  /** Records that the turn has failed. A claimed turn stays stored, so nothing that ran is lost. */
  async failed(): Promise<void> {
    if (this.#isStored) return;
    if (this.#journal) await this.#release(this.#journal);
    else this.#become('failed');
  }

  get #rules(): ApprovalRules {
    const { policy, tokens } = this.store.rules;
    const ofApplication = this.turn.scope.services?.approvalRules as ApprovalRules | undefined;
    return { policy: policy ?? ofApplication?.policy ?? new ApprovalPolicy(), tokens: tokens ?? ofApplication?.tokens };
  }

  get #isStored(): boolean {
    return this.#state === 'suspended' || this.#state === 'uncertain';
  }

  async #release(journal: TurnJournal): Promise<void> {
    await journal.release();
    this.#become(journal.isUncertain ? 'uncertain' : 'suspended');
  }

  async #find(request: ChatClientRequest, given: readonly ToolApproval[]): Promise<ChatClientRequest> {
    // An advisor around the loop sent the request again: resume what the first attempt left.
    const { keeper } = this.turn.scope;
    await keeper?.release();
    const before = keeper?.turnId;
    const { caller, request: callerRequest } = this.turn;
    const turnId = request.prompt.options?.suspendedTurnId ?? before;
    const seeker = { caller, request: callerRequest, approvals: given, turnId };
    const held = await this.turn.untilAborted(this.#load(seeker));
    // Decisions that the first attempt carried out do not count again.
    const approvals = before === undefined ? given : openOf(held, given);
    checkFits(held, approvals, request, this.turn);
    const inputs = answeredInputs(held.inputs, openOf(held, approvals));
    if (isClaimedByAnother(held)) throw goingOn(held.id);
    this.#become(held.begun?.length ? 'uncertain' : 'suspended');
    restore(this.turn, held);
    const messages = held.messages.map(fromMessageJson);
    const context = { ...held.context, ...request.context, [RESUMED_MESSAGES]: messages };
    const response = { chatResponse: heldResponse(held), context };
    this.#resumption = { held, approvals, inputs, response };
    const options = { ...request.prompt.options, ...held.options };
    return { ...request, prompt: Prompt.of(messages.slice(0, -2), options), context };
  }

  async #load(seeker: TurnSeeker): Promise<SuspendedTurn> {
    try {
      return await findTurn(this.store.repository, this.#rules, seeker);
    } catch (error) {
      if (error instanceof ToolApprovalException && error.problem === 'not-found') this.#become('expired');
      throw error;
    }
  }

  #become(state: TurnState): void {
    if (!TRANSITIONS[this.#state].includes(state)) {
      throw new Error(`A turn cannot change from ${this.#state} to ${state}.`);
    }
    this.#state = state;
  }
}

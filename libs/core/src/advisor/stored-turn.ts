import { answeredInputs } from '../execution/pending-inputs.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { isClaimedByAnother, type SuspendedTurn } from '../memory/suspended-turn.repository.js';
import { fromMessageJson } from '../memory/message-json.js';
import { checkEntriesAreKnown } from '../memory/unknown-entries.js';
import { FinishReason } from '../model/finish-reason.js';
import type { Awaitable } from '../model/awaitable.js';
import type { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import { RECORDS_TURNS, type TurnControl } from '../model/turn-control.js';
import type { Usage } from '../model/usage.js';
import type { Advisor } from './advisor.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import type { TurnStore } from './loop-contract.js';
import { withoutApprovals } from './loop-options.js';
import { checkFits, checkTools, decideUncertain, goingOn, openOf, waitForDecision } from './resumption-checks.js';
import {
  continuationOf,
  factsOf,
  heldResponse,
  queueLongTools,
  restore,
  RESUMED_MESSAGES,
  type Resumption,
  spokenBefore,
  toNewTurn,
  type TurnToSuspend,
  withoutAnswer,
} from './suspension.js';
import { APPROVAL_RULES, ApprovalPolicy, type ApprovalRules } from './approvals/approval-policy.js';
import { findTurn } from './approvals/turn-lookup.js';
import { TurnRecorder } from './turn-recorder.js';

/** What the loop stores of its turn: finds and claims a suspended turn, records a turn, and suspends it. */
export class StoredTurn {
  /** The turn that the request resumes; undefined for a new one. */
  resumption: Resumption | undefined;
  /** The record of a resumed turn, or of any turn if the repository records all. */
  recorder: TurnRecorder | undefined;
  /** Whether the tools of a resumed turn run next, instead of the model. */
  runsHeldTools = false;
  /** Whether tools are running whose results the model does not have yet. */
  #areToolsRunning = false;

  constructor(
    private readonly turn: TurnControl,
    private readonly store: TurnStore,
  ) {}

  /**
   * Starts a turn, or finds the suspended one that the request has approvals for.
   *
   * @returns the request to use
   * @throws ToolApprovalException if there is no such turn, or the approvals do not fit it
   */
  begin(request: ChatClientRequest): Awaitable<ChatClientRequest> {
    const { toolApprovals } = request.prompt.options ?? {};
    if (toolApprovals) return this.#find(request, toolApprovals);
    const { continued } = this.turn.scope;
    if (continued?.entries !== undefined) this.turn.resumeAs(continued.id, continued.requester);
    return request;
  }

  /**
   * Records a new turn from here on, if the repository records all turns.
   *
   * @throws ToolApprovalException if the turn was queued, and another request has begun it
   */
  start(request: ChatClientRequest): Awaitable<void> {
    const { repository, lease } = this.store;
    // A call from outside is only stored if it waits.
    if (!repository.recordsAll || this.turn.scope.services?.get(RECORDS_TURNS) === false) return;
    const { entries } = this.turn.scope.continued ?? {};
    const recorder = new TurnRecorder(toNewTurn(this.turn, entries), [], this.turn, repository, lease);
    this.#recordIn(recorder);
    const beginning = recorder.begin(request);
    return entries === undefined ? undefined : beginning;
  }

  /**
   * Claims the suspended turn for this request, and calls `joinTurn()` of advisors, because the
   * tools run before the next round.
   *
   * @throws ToolApprovalException if the turn was resumed elsewhere, the request lacks tools, or
   *   there is no decision about calls that may have run
   */
  async claim(request: ChatClientRequest, manager: ToolCallingManager, advisors: readonly Advisor[]): Promise<void> {
    const { held, messages } = this.resumption!;
    const decisions = await this.#decide(request);
    if (!held.phase) await checkTools(held, decisions, request.prompt, manager);
    const { repository, lease } = this.store;
    const recorder = new TurnRecorder(held, messages, this.turn, repository, lease);
    const claiming = recorder.claim();
    try {
      await this.turn.untilAborted(claiming);
    } catch (error) {
      // The request no longer needs a claim that arrives late.
      claiming.then(
        () => recorder.release(),
        () => undefined,
      );
      throw error;
    }
    this.#recordIn(recorder);
    this.runsHeldTools = !held.phase;
    if (!held.phase) this.turn.continuation = continuationOf(this.turn, this.resumption!, decisions);
    for (const advisor of advisors) await advisor.joinTurn?.(request);
  }

  /** @throws ToolApprovalException if there is no decision about calls that may have run */
  async #decide({ prompt }: ChatClientRequest): Promise<readonly ToolApproval[]> {
    const { held, approvals } = this.resumption!;
    try {
      return decideUncertain(held, approvals, prompt.options);
    } catch (error) {
      // A worker cannot decide. The turn waits for a request that can.
      const { continued, holds } = this.turn.scope;
      const revision = continued && (await this.turn.untilAborted(waitForDecision(held, this.store.repository)));
      if (revision !== undefined) holds?.tell(held.id, revision);
      throw error;
    }
  }

  #recordIn(recorder: TurnRecorder): void {
    this.recorder = recorder;
    this.turn.hold = recorder;
    this.turn.scope.holds?.add(this.turn.id, recorder, this.resumption !== undefined);
  }

  /** Records that the tools of a message run next. */
  runsTools(response: ChatResponse, request: ChatClientRequest, round: number, usageByRound: readonly Usage[]): void {
    this.#areToolsRunning = true;
    this.recorder?.reached({ response: factsOf(response), round, usageByRound }, request);
  }

  /** Records that the calls of a message have ended and their results are in the history. */
  toolsHaveRun(history: readonly Message[]): void {
    this.turn.continuation = undefined;
    this.recorder!.answered(history);
    this.#areToolsRunning = false;
    this.runsHeldTools = false;
  }

  /** Stores the turn and returns the answer that asks for approval. */
  async suspend(suspended: TurnToSuspend): Promise<ChatResponse> {
    const { turn } = this;
    const chatResponse = suspended.response.chatResponse!;
    const pending = suspended.executed.pendingApprovals!;
    const { tokens } = this.#rules;
    const { repository, lease } = this.store;
    const recorder = this.recorder ?? new TurnRecorder(toNewTurn(turn), [], turn, repository, lease);
    const ready = turn.observers?.turnEnds();
    if (ready) await turn.untilEnded(ready);
    await turn.untilAborted(recorder.handOver(suspended));
    await queueLongTools(turn, suspended);
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
    this.recorder?.over();
  }

  /** Records the answer of the turn. */
  concludes(history: readonly Message[], response: ChatResponse, round: number, usageByRound: readonly Usage[]): void {
    const answer = response.result?.output;
    if (answer) this.recorder?.concluded(history, answer, { response: factsOf(response), round, usageByRound });
  }

  /** Records that the turn was stopped. Decided calls that may or may not have run stay stored. */
  async stopped(): Promise<void> {
    const recorder = this.resumption && this.recorder;
    if (this.#areToolsRunning && recorder) await recorder.release();
    else if (recorder?.hasUndecided) await recorder.wait();
    else this.answered();
  }

  /** Records that the turn has failed. A claimed turn stays stored, so nothing that ran is lost. */
  async failed(error: unknown): Promise<void> {
    await this.recorder?.release(error);
  }

  get #rules(): ApprovalRules {
    const { policy, tokens } = this.store.rules;
    const ofApplication = this.turn.scope.services?.get(APPROVAL_RULES);
    return { policy: policy ?? ofApplication?.policy ?? new ApprovalPolicy(), tokens: tokens ?? ofApplication?.tokens };
  }

  async #find(request: ChatClientRequest, given: readonly ToolApproval[]): Promise<ChatClientRequest> {
    // An advisor around the loop sent the request again: resume what the first attempt left.
    const { holds } = this.turn.scope;
    await holds?.release();
    const before = holds?.resumed;
    const { caller, request: callerRequest } = this.turn;
    const turnId = request.prompt.options?.suspendedTurnId ?? before;
    const seeker = { caller, request: callerRequest, approvals: given, turnId };
    const loaded = await this.turn.untilAborted(findTurn(this.store.repository, this.#rules, seeker));
    checkEntriesAreKnown(loaded);
    const found = before === undefined ? loaded : withoutAnswer(loaded);
    const stored = found.decisions ?? [];
    const approver = caller !== undefined && { approver: caller };
    const decisions = stored.length > 0 && given.length > 0 && [...stored, { decisions: given, ...approver }];
    const held: SuspendedTurn = { ...found, ...(decisions && { decisions }) };
    // What was decided about other calls before still counts, but not what has been carried out.
    const decided = new Set(given.map(({ toolCallId }) => toolCallId));
    const others = stored.flatMap((one) => one.decisions).filter(({ toolCallId }) => !decided.has(toolCallId));
    const approvals = [...openOf(held, others), ...(before === undefined ? given : openOf(held, given))];
    checkFits(held, approvals, request, this.turn);
    const inputs = answeredInputs(held.inputs, openOf(held, approvals));
    if (isClaimedByAnother(held)) throw goingOn(held.id);
    restore(this.turn, held);
    const messages = held.messages.map(fromMessageJson);
    const context = { ...held.context, ...request.context, [RESUMED_MESSAGES]: messages };
    const chatResponse = heldResponse(held);
    const response = chatResponse ? { chatResponse, context } : { context };
    this.resumption = { held, approvals, inputs, messages, response };
    const own = held.phase ? withoutApprovals(request.prompt.options!) : request.prompt.options;
    const options = { ...own, ...held.options };
    return { ...request, prompt: Prompt.of(messages.slice(0, spokenBefore(held)), options), context };
  }
}

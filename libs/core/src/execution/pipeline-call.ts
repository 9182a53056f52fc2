import { type Awaitable, isPromise } from '../model/awaitable.js';
import type { CallApproval } from '../model/call-approval.js';
import { DeferredCallException, type DeliveredResult } from '../model/deferred-call.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { PendingInput } from '../model/pending-input.js';
import { ToolContext, type ToolContextInit } from '../model/tool-context.js';
import type { ToolResult } from '../model/tool-result.js';
import type { TurnControl } from '../model/turn-control.js';
import type { TurnHold } from '../model/turn-hold.js';
import { asParsed, losesDigits, parseJson, parseToolInput } from '@nestor-ai/schema';
import { waitOfCode } from '../tool/tool-execution.exception.js';
import type { ToolRecord } from '../tool/tool-record.js';
import { type CallSteps, ToolRun, WAITS } from '../tool/tool-run.js';
import type { AnsweredCall } from './answered-call.js';
import type { KeyHold } from './concurrency-keys.js';
import { toInputText, withApprovedArguments } from './call-approvals.js';
import { CallNotes } from './call-notes.js';
import type { CallPolicies } from './call-policies.js';
import type { ObservedCall } from './observed-call.js';
import { toUserInput } from './pending-inputs.js';
import { logPolicyFailure } from './policy-failure.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import type { ToolCallBatch } from './tool-call-batch.js';
import { JOB_QUEUE } from './job-queue.js';
import { CallTimeout } from './with-timeout.js';

/** One call of a message: what was decided about it, and what its turn adds to the {@link ToolRun}. */
export class PipelineCall implements CallSteps {
  readonly turn: TurnControl;
  /** The call as it was approved. */
  readonly call: ToolCall;
  /** Details about its approval. Undefined if there was no decision about the call. */
  readonly approval: CallApproval | undefined;
  /** What it asked its user for, with the answer. Undefined if it has not asked yet. */
  readonly input: PendingInput | undefined;
  /** The call with arguments that were repaired, or that a human is shown. */
  changed: ToolCall | undefined;
  record!: ToolRecord;
  run!: ToolRun;
  /** The values that the context was created from. */
  init!: ToolContextInit;
  hasPolicies = false;
  isRecorded = false;
  isHeld = false;
  /** The concurrency key of the call, while it has one. */
  declare keyHold?: KeyHold | undefined;
  #policies: CallPolicies | undefined;
  #timeout: CallTimeout | undefined;
  #argumentRepair: ToolArgumentRepair | undefined;
  #notes: CallNotes | undefined;

  /**
   * @param original the call as the model requested it
   * @param observed undefined if nobody observes the turn
   */
  constructor(
    readonly batch: ToolCallBatch,
    readonly original: ToolCall,
    readonly observed: ObservedCall | undefined,
  ) {
    const { approved, turn } = batch;
    const decision = approved?.approvals.get(original.id);
    this.turn = turn;
    this.input = approved?.inputs.get(original.id);
    this.approval = decision && (approved!.callApprovals.get(original.id) ?? {});
    this.call = decision ? withApprovedArguments(original, decision) : original;
  }

  /**
   * Called once the tool of the call is known.
   *
   * @param argumentRepair undefined if the model must correct broken JSON itself
   */
  prepare(
    record: ToolRecord,
    policies: CallPolicies | undefined,
    argumentRepair: ToolArgumentRepair | undefined,
  ): void {
    const { batch, turn, call, approval, input } = this;
    const { prompt, isCutOff } = batch;
    const init: ToolContextInit = { toolCall: call, history: prompt.messages, turn };
    if (approval) init.approval = approval;
    if (input?.content) init.input = toUserInput(input);
    if (this.observed?.observers.seesProgress) init.onProgress = progressListener(this.observed);
    this.record = record;
    this.init = init;
    this.run = new ToolRun(
      record,
      toInputText(call.arguments),
      new ToolContext(prompt.options?.toolContext, init),
      this,
    );
    if (policies) {
      this.hasPolicies = true;
      this.#policies = policies;
      this.#timeout = new CallTimeout(call.name, policies.timeout);
    }
    // Arguments that were cut off cannot be repaired, and those that humans know must not change.
    if (!isCutOff && !approval && !input) this.#argumentRepair = argumentRepair;
    // Code that has ended before does not begin.
    if (this.observed && !input?.delivered) {
      this.isRecorded = this.observed.observers.seesBeginnings;
      this.observed.follow(this.run, record);
    }
  }

  /** Records the start of the code, and its end if the turn has ended before. */
  noteIn(hold: TurnHold, toResponse: (result: string | ToolResult) => ToolResponse): void {
    this.isHeld = true;
    this.#notes = new CallNotes(hold, this, toResponse);
  }

  /** Whether the tool's options or its result say so. */
  get isUntrusted(): boolean {
    return this.run.isUntrusted || this.#policies?.policies.untrusted === true;
  }

  /** The arguments that the tool receives. For a tool that parses them itself: the JSON value. */
  get policyInput(): unknown {
    return this.record.parse ? this.run.input : parseJson(this.run.text);
  }

  /** Runs the steps within the limits of the turn and the timeout. */
  async complete(): Promise<string | ToolResult | typeof WAITS> {
    const { turn, run } = this;
    // Starts a new async continuation, so that a context that one tool enters with `enterWith()`
    // does not reach other tools.
    await undefined;
    turn.throwIfAborted();
    const running = this.#timeout ? this.#answerIn(this.#timeout) : run.answer();
    const answering = this.#notes ? this.#notes.follow(running) : running;
    const slot = turn.running?.callBegan(answering);
    try {
      return await turn.untilAborted(answering);
    } catch (error) {
      const wait = waitOfCode(error);
      if (wait && wait !== 'result') this.#wait();
      if (wait === 'approval') return WAITS;
      throw error;
    } finally {
      run.isGivenUp = true;
      if (slot !== undefined) turn.running!.callEnded(slot, answering, turn.isAborted);
    }
  }

  /**
   * The result of code that has ended before.
   *
   * @throws Error with the text that was delivered instead of a result
   */
  async deliver(delivered: DeliveredResult): Promise<string | ToolResult> {
    if ('error' in delivered) throw new Error(delivered.error);
    return this.run.answerWith(delivered.result);
  }

  async repair(error: unknown): Promise<unknown> {
    const { call, record } = this;
    let text: string | undefined;
    try {
      text = await this.#argumentRepair?.repair({ toolDefinition: record.definition, arguments: call.arguments });
    } catch (failure) {
      logPolicyFailure(call.name, 'ToolArgumentRepair', failure);
    }
    if (text === undefined || text === call.arguments) throw error;
    this.#change(text);
    return parseToolInput(text);
  }

  mayRun(): Awaitable<boolean> {
    const asks = !this.approval && this.#policies?.needsApproval(this);
    return isPromise(asks) ? asks.then((isAsking) => this.#waitOrBegin(isAsking)) : this.#waitOrBegin(asks);
  }

  async execute(): Promise<unknown> {
    this.#timeout!.pause();
    try {
      const result = await this.#policies!.execute(this);
      // The result may come from the cache without running the code.
      this.run.noteResult(result);
      return result;
    } finally {
      this.#timeout!.resume();
    }
  }

  begin(): Promise<void> {
    return this.observed!.begin();
  }

  /** Adds the call that ran and its approval to the answer. */
  async withApproval(answering: Promise<AnsweredCall>): Promise<AnsweredCall> {
    const { original, call, approval } = this;
    return { ...(call !== original && { changed: call }), ...(await answering), approval: approval! };
  }

  #answerIn(timeout: CallTimeout): Promise<string | ToolResult | typeof WAITS> {
    this.init.signal = timeout.signalIn(this.turn.signal);
    return timeout.limit(() => this.run.answer());
  }

  /**
   * Writes the arguments as they were parsed, so that a human decides about what will run. A tool that
   * parses them itself may keep more digits.
   *
   * @throws ToolInputException if they are nested too deeply
   */
  #wait(): false {
    const { run, record } = this;
    const text = record.parse || !losesDigits(run.text) ? asParsed(run.text) : run.text;
    if (text !== run.text) this.#change(text);
    return false;
  }

  #waitOrBegin(mustWait: boolean | undefined): Awaitable<boolean> {
    return mustWait ? this.#wait() : this.#begin();
  }

  #change(text: string): void {
    this.run.text = text;
    this.changed = { ...this.call, arguments: text };
  }

  /**
   * Marks the call as one that may have run.
   *
   * @throws DeferredCallException if a worker of another queue runs the code
   */
  #begin(): Awaitable<boolean> {
    const queue = this.#policies?.policies.job?.queue;
    if (queue !== undefined && this.turn.hold && isQueueElsewhere(this.turn, queue))
      throw new DeferredCallException(queue);
    return this.#notes ? this.#notes.began() : true;
  }
}

/** A separate function: V8 allocates a context on each call of a function with closures. */
function progressListener(observed: ObservedCall): (value: unknown) => void {
  return (value) => observed.observers.toolProgress(observed, value);
}

function isQueueElsewhere({ scope }: TurnControl, queue: string): boolean {
  return scope.services?.get(JOB_QUEUE) !== undefined && scope.continued?.queue !== queue;
}

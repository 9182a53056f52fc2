import { type Awaitable } from '../model/awaitable.js';
import { DeferredCallException, type DeliveredResult } from '../model/deferred-call.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { CallJournal } from '../model/call-journal.js';
import type { ToolContext, ToolContextInit } from '../model/tool-context.js';
import { isResultLike, ToolResult } from '../model/tool-result.js';
import type { TurnControl } from '../model/turn-control.js';
import { asParsed, losesDigits, parseJson, parseToolInput } from '@nestor-ai/schema';
import type { EndsLater } from '../tool/result/settle-result.js';
import type { ToolRecord } from '../tool/tool-record.js';
import { asksForInput, defersResult, needsApproval } from '../tool/tool-execution.exception.js';
import { ToolRun, WAITS } from '../tool/tool-run.js';
import type { CallPolicies, PolicyCall } from './call-policies.js';
import type { CallRecorder } from './call-recorder.js';
import { toInputText } from './input-text.js';
import { logPolicyFailure } from './policy-failure.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import type { ToolCallBatch } from './tool-call-batch.js';
import { hasReadUntrusted } from './trust/untrusted-content-guard.js';
import { CallTimeout } from './with-timeout.js';
import { TURN_QUEUE } from './turn-queue.js';

/** The journal for the outcome of a call. */
interface CallNotes {
  readonly journal: CallJournal;
  readonly toResponse: (result: string | ToolResult) => ToolResponse;
}

/** One call: a {@link ToolRun} with argument repair, approval, policies and the turn's abort. */
export class PipelineRun extends ToolRun implements PolicyCall {
  readonly turn: TurnControl;
  /** The call with arguments that were repaired, or that a human is shown. */
  changed: ToolCall | undefined;
  readonly #timeout: CallTimeout | undefined;
  /** The running code, which may continue after the call was stopped. */
  #code: Promise<unknown> | undefined;
  /** Resolves when a stopped generator has closed. */
  #closing: Promise<unknown> | undefined;
  #notes: CallNotes | undefined;
  #recorder: CallRecorder | undefined;
  #isGivenUp = false;
  /** Whether the tool marked its result as untrusted. */
  #isUntrusted = false;
  #tries = 0;

  /**
   * @param batch the message with the call and the conversation before it
   * @param init the values that the context was created from
   * @param argumentRepair undefined if the model must correct broken JSON itself
   */
  constructor(
    private readonly batch: ToolCallBatch,
    record: ToolRecord,
    private readonly call: ToolCall,
    context: ToolContext,
    readonly init: ToolContextInit,
    private readonly policies: CallPolicies | undefined,
    private readonly argumentRepair: ToolArgumentRepair | undefined,
  ) {
    super(record, toInputText(call.arguments), context);
    this.turn = batch.turn;
    this.#timeout = policies && new CallTimeout(call.name, policies.timeout);
  }

  get toolName(): string {
    return this.call.name;
  }

  /** The number of times the code ran: several after retries, 0 if it did not run. */
  get tries(): number {
    return this.#tries;
  }

  get hasReadUntrusted(): boolean {
    return hasReadUntrusted(this.batch);
  }

  /** Whether the tool's options or its result say so. Interceptors and filters cannot change it. */
  get isUntrusted(): boolean {
    return this.#isUntrusted || this.policies?.isUntrusted === true;
  }

  get policyInput(): unknown {
    return this.record.parse ? this.input : parseJson(this.text);
  }

  /** Records the start of the code, and its end if the turn has ended before. */
  noteIn(journal: CallJournal, toResponse: CallNotes['toResponse']): void {
    this.#notes = { journal, toResponse };
  }

  /** Makes the code wait until its start is recorded. */
  recordWith(recorder: CallRecorder): void {
    this.#recorder = recorder;
    recorder.follow(this);
  }

  /** Runs the steps within the limits of the turn and the timeout. */
  async complete(): Promise<string | ToolResult | typeof WAITS> {
    const { turn } = this;
    // Starts a new async continuation, so that a context that one tool enters with `enterWith()`
    // does not reach other tools.
    await undefined;
    turn.throwIfAborted();
    const running = this.#timeout ? this.#answerIn(this.#timeout) : this.answer();
    const answering = this.#notes ? this.#noted(running, this.#notes) : running;
    const slot = turn.running?.callBegan(answering);
    try {
      return await turn.untilAborted(answering);
    } catch (error) {
      if (asksForInput(error) && !defersResult(error)) this.#wait();
      if (needsApproval(error)) return WAITS;
      throw error;
    } finally {
      this.#isGivenUp = true;
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
    const { result } = delivered;
    this.answered(result);
    return this.finish(await this.record.convert(result), result);
  }

  #answerIn(timeout: CallTimeout): Promise<string | ToolResult | typeof WAITS> {
    this.init.signal = timeout.signalIn(this.turn.signal);
    return timeout.limit(() => this.answer());
  }

  override runCode(endsLater?: EndsLater): Promise<unknown> {
    const noteEnd = (closing: Promise<unknown>): void => {
      this.#closing = closing;
      endsLater?.(closing);
    };
    return (this.#code = super.runCode(this.#notes ? noteEnd : endsLater));
  }

  override execute(): Awaitable<unknown> {
    this.#throwIfGivenUp();
    const { policies } = this;
    return policies ? this.#executeWith(policies) : super.execute();
  }

  protected override answered(result: unknown): void {
    // An object shaped like a result only counts as one if the tool parses its input and formats
    // its output itself.
    const isResult = this.record.parse ? ToolResult.isToolResult(result) : isResultLike(result);
    if (isResult && (result as ToolResult).untrusted) this.#isUntrusted = true;
  }

  protected override start(): unknown {
    const recorder = this.#recorder;
    if (recorder) return this.#startRecorded(recorder);
    this.#tries++;
    return super.start();
  }

  async #startRecorded(recorder: CallRecorder): Promise<unknown> {
    // A later attempt has its own signal.
    const { signal } = this.context;
    await recorder.begin();
    this.#throwIfGivenUp();
    signal.throwIfAborted();
    this.#tries++;
    return super.start();
  }

  protected override read(): Awaitable<unknown> {
    try {
      return super.read();
    } catch (error) {
      if (!this.argumentRepair) throw error;
      return this.#repair(this.argumentRepair, error);
    }
  }

  protected override mayRun(): Awaitable<boolean> {
    const { policies, init } = this;
    this.#throwIfGivenUp();
    if (init.approval || !policies?.mayNeedApproval(this)) return this.#begin();
    return policies.needsApproval(this).then((isNeeded) => (isNeeded ? this.#wait() : this.#begin()));
  }

  /**
   * Writes the arguments as they were parsed, so that a human decides about what will run. A tool that
   * parses them itself may keep more digits.
   *
   * @throws ToolInputException if they are nested too deeply
   */
  #wait(): false {
    const text = this.record.parse || !losesDigits(this.text) ? asParsed(this.text) : this.text;
    if (text !== this.text) {
      this.text = text;
      this.changed = { ...this.call, arguments: text };
    }
    return false;
  }

  /**
   * Marks the call as one that may have run.
   *
   * @throws DeferredCallException if a worker of another queue runs the code
   */
  #begin(): Awaitable<boolean> {
    const queue = this.policies?.queue;
    if (queue !== undefined && this.turn.journal && isQueueElsewhere(this.turn, queue))
      throw new DeferredCallException(queue);
    return this.#notes ? this.#noteBeginning(this.#notes) : true;
  }

  async #noteBeginning({ journal }: CallNotes): Promise<boolean> {
    const call = this.changed ?? this.call;
    await journal.began(call);
    if (this.#isGivenUp) await journal.withdrawn(call.id);
    this.#throwIfGivenUp();
    return true;
  }

  /** Records the end of code whose turn was aborted. */
  async #noted<T extends string | ToolResult | typeof WAITS>(running: Promise<T>, notes: CallNotes): Promise<T> {
    const note = (result: string | ToolResult): Promise<void> => notes.journal.ended(notes.toResponse(result));
    try {
      const result = await running;
      if (this.turn.isAborted && result !== WAITS) await note(result);
      return result;
    } catch (error) {
      // Recording takes time. Nothing may start meanwhile.
      this.#isGivenUp = true;
      // The turn is suspended with the call. Until then, it counts as one that may have run.
      if (defersResult(error)) throw error;
      if (asksForInput(error) || (this.turn.isAborted && this.#tries === 0))
        await notes.journal.withdrawn(this.call.id);
      else await this.#resultOfCode().then(note, () => this.#noteInterruption(notes));
      throw error;
    }
  }

  /** Records the interruption when the code has ended. Until then, its effect is uncertain. */
  async #noteInterruption({ journal }: CallNotes): Promise<void> {
    await this.#closing;
    await journal.interrupted(this.changed ?? this.call);
  }

  /** @throws Error if the code has no result that is not known yet */
  async #resultOfCode(): Promise<string | ToolResult> {
    if (!this.#code || !this.turn.isAborted) throw new Error(`The call of '${this.toolName}' failed.`);
    return this.record.convert(await this.#code);
  }

  /** Stops a call that was stopped while a guard was still running. */
  #throwIfGivenUp(): void {
    if (this.#isGivenUp) throw new Error(`The call of '${this.toolName}' was stopped.`);
  }

  async #executeWith(policies: CallPolicies): Promise<unknown> {
    this.#timeout!.pause();
    try {
      const result = await policies.execute(this);
      // The result may come from the cache without running the code.
      this.answered(result);
      return result;
    } finally {
      this.#timeout!.resume();
    }
  }

  async #repair(argumentRepair: ToolArgumentRepair, error: unknown): Promise<unknown> {
    const { call } = this;
    const text = await this.#repaired(argumentRepair);
    if (text === undefined || text === call.arguments) throw error;
    this.text = text;
    this.changed = { ...call, arguments: text };
    return parseToolInput(text);
  }

  /** The repaired arguments. Undefined if the repair fails. */
  async #repaired(argumentRepair: ToolArgumentRepair): Promise<string | undefined> {
    try {
      return await argumentRepair.repair({ toolDefinition: this.record.definition, arguments: this.call.arguments });
    } catch (error) {
      logPolicyFailure(this.toolName, 'ToolArgumentRepair', error);
      return undefined;
    }
  }
}

function isQueueElsewhere({ scope }: TurnControl, queue: string): boolean {
  return scope.services?.get(TURN_QUEUE) !== undefined && scope.continued?.queue !== queue;
}

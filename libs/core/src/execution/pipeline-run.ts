import { type Awaitable } from '../model/awaitable.js';
import type { ToolCall } from '../model/messages.js';
import type { ToolContext, ToolContextInit } from '../model/tool-context.js';
import type { ToolResult } from '../model/tool-result.js';
import type { TurnControl } from '../model/turn-control.js';
import { parseJson, parseToolInput } from '../tool/input/parse-json.js';
import type { ToolRecord } from '../tool/tool-record.js';
import { ToolRun, type WAITS } from '../tool/tool-run.js';
import type { CallPolicies, PolicyCall } from './call-policies.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import { CallTimeout } from './with-timeout.js';

/** One call in the pipeline: a {@link ToolRun} with repair, approval, policies and an end when the turn is aborted. */
export class PipelineRun extends ToolRun implements PolicyCall {
  readonly turn: TurnControl;
  /** The call with arguments that were repaired. */
  changed: ToolCall | undefined;
  readonly #timeout: CallTimeout | undefined;
  #isGivenUp = false;

  /**
   * @param init what the context was made of
   * @param isApproved whether a human has approved the call
   * @param policies undefined for a tool without policies
   * @param argumentRepair undefined where broken JSON is the model's to correct
   */
  constructor(
    record: ToolRecord,
    private readonly call: ToolCall,
    context: ToolContext,
    readonly init: ToolContextInit,
    private readonly isApproved: boolean,
    private readonly policies: CallPolicies | undefined,
    private readonly argumentRepair: ToolArgumentRepair | undefined,
  ) {
    super(record, toInputText(call.arguments), context);
    this.turn = init.turn!;
    this.#timeout = policies && new CallTimeout(call.name, policies.timeout);
  }

  get toolName(): string {
    return this.call.name;
  }

  get policyInput(): unknown {
    return this.record.parse ? this.input : parseJson(this.text);
  }

  /** Runs the steps, no longer than the turn and the timeout allow. */
  async complete(): Promise<string | ToolResult | typeof WAITS> {
    const { turn } = this;
    // From here on it is a continuation of its own: what a tool enters with `enterWith()` does not reach other tools.
    await undefined;
    turn.throwIfAborted();
    const answering = this.#timeout ? this.#answerIn(this.#timeout) : this.answer();
    const slot = turn.running?.callBegan(answering);
    try {
      return await turn.untilAborted(answering);
    } finally {
      this.#isGivenUp = true;
      if (slot !== undefined) turn.running!.callEnded(slot, answering, turn.isAborted);
    }
  }

  #answerIn(timeout: CallTimeout): Promise<string | ToolResult | typeof WAITS> {
    this.init.signal = timeout.signalIn(this.turn.signal);
    return timeout.limit(() => this.answer());
  }

  override execute(): Awaitable<unknown> {
    this.#throwIfGivenUp();
    const { policies } = this;
    return policies ? this.#executeWith(policies) : super.execute();
  }

  protected override read(): Awaitable<unknown> {
    try {
      return super.read();
    } catch (error) {
      const { argumentRepair } = this;
      if (!argumentRepair) throw error;
      return this.#repair(argumentRepair, error);
    }
  }

  protected override mayRun(): Awaitable<boolean> {
    const { policies, isApproved } = this;
    this.#throwIfGivenUp();
    if (!policies?.asksForApproval || isApproved) return true;
    return policies.needsApproval(this).then((isNeeded) => !isNeeded);
  }

  /** A guard that ends after the call was given up must not let it run. */
  #throwIfGivenUp(): void {
    if (this.#isGivenUp) throw new Error(`The call of '${this.toolName}' has been given up.`);
  }

  async #executeWith(policies: CallPolicies): Promise<unknown> {
    this.#timeout!.pause();
    try {
      return await policies.execute(this);
    } finally {
      this.#timeout!.resume();
    }
  }

  async #repair(argumentRepair: ToolArgumentRepair, error: unknown): Promise<unknown> {
    const { call, record } = this;
    const text = await argumentRepair.repair({ toolDefinition: record.definition, arguments: call.arguments });
    if (text === undefined || text === call.arguments) throw error;
    this.text = text;
    this.changed = { ...call, arguments: text };
    return parseToolInput(text);
  }
}

/** No arguments at all are none; some adapters give them already parsed. */
function toInputText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return given === undefined || given === null ? '{}' : JSON.stringify(given);
}

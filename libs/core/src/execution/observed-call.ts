import { randomUUID } from 'node:crypto';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import { outcomeOf, type ToolCallEnd } from '../model/tool-call-outcome.js';
import type { ToolUi } from '../model/tool-ui.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ToolCallDecision, ToolCallRun } from '../model/turn-observer.js';
import type { TurnObservers } from '../model/turn-observers.js';
import type { ToolRun } from '../tool/tool-run.js';
import type { AnsweredCall } from './answered-call.js';
import { toInputText, withApprovedArguments } from './call-approvals.js';
import { classifyFailure } from './classify-failure.js';
import type { ToolCallBatch } from './tool-call-batch.js';

/** A call of a turn that is observed. */
export class ObservedCall implements ToolCallRun {
  readonly id: string = randomUUID();
  readonly toolCall: ToolCall;
  readonly #startedAt = performance.now();
  #run: ToolRun | undefined;
  #beginning: Promise<void> | undefined;

  constructor(
    readonly observers: TurnObservers,
    private readonly batch: ToolCallBatch,
    index: number,
    readonly ui: ToolUi | undefined,
  ) {
    this.toolCall = batch.message.toolCalls[index]!;
  }

  get turn(): TurnControl {
    return this.batch.turn;
  }

  get clientName(): string | undefined {
    return this.turn.scope.services?.clientName;
  }

  get isResumed(): boolean {
    return this.batch.approved !== undefined;
  }

  get isToolKnown(): boolean {
    return (
      this.#run !== undefined || findTool(this.batch.prompt.options?.toolCallbacks, this.toolCall.name) !== undefined
    );
  }

  get arguments(): string {
    return this.#run?.text ?? this.#approvedArguments;
  }

  get decision(): ToolCallDecision | undefined {
    const { approved } = this.batch;
    const decided = approved?.approvalOf(this.toolCall.id);
    if (!decided) return undefined;
    const { approver, modelArguments } = approved!.callApprovalOf(this.toolCall.id) ?? {};
    return { approved: decided.approved, approver, modelArguments };
  }

  get tries(): number {
    return this.#run?.tries ?? 0;
  }

  get duration(): number {
    return performance.now() - this.#startedAt;
  }

  /** Called once the tool of the call is known. */
  follow(run: ToolRun): void {
    this.#run = run;
  }

  /**
   * Tells that the code is about to run.
   *
   * @throws an error if the code must not run
   */
  begin(): Promise<void> {
    return (this.#beginning ??= this.#begin());
  }

  /** Tells the end of the call before its answer is passed on. */
  ended(answered: AnsweredCall): Promise<void> {
    return this.observers.toolEnded(this, { ...answered, outcome: outcomeOf(answered) });
  }

  /** Tells that there is no answer. */
  failed(error: unknown): Promise<void> {
    return this.observers.toolEnded(this, this.#endOf(error));
  }

  async #begin(): Promise<void> {
    try {
      await this.observers.toolBegins(this);
    } catch (error) {
      // If the tool is retried, tell the start again.
      this.#beginning = undefined;
      throw error;
    }
  }

  #endOf(error: unknown): ToolCallEnd {
    if (this.turn.isAborted) return { outcome: 'aborted', error };
    const { outcome, cause } = classifyFailure(error);
    return { outcome, error: cause };
  }

  get #approvedArguments(): string {
    const approval = this.batch.approved?.approvalOf(this.toolCall.id);
    return toInputText(withApprovedArguments(this.toolCall, approval).arguments);
  }
}

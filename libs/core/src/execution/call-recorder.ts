import { randomUUID } from 'node:crypto';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ToolRun } from '../tool/tool-run.js';
import { outcomeOf } from '../model/tool-call-outcome.js';
import type { AnsweredCall } from './answered-call.js';
import { toInputText, withApprovedArguments } from './call-approvals.js';
import { classifyFailure } from './classify-failure.js';
import type { AuditedCall, AuditedDecision, AuditedEnd, ToolCallAudit } from './tool-call-audit.js';
import type { ToolCallBatch } from './tool-call-batch.js';

/** Records one call: the start of its code and its outcome. */
export class CallRecorder implements AuditedCall {
  readonly runId: string = randomUUID();
  readonly #startedAt = performance.now();
  readonly #original: ToolCall;
  #run: ToolRun | undefined;
  #beginning: Promise<void> | undefined;

  constructor(
    private readonly audit: ToolCallAudit,
    private readonly batch: ToolCallBatch,
    index: number,
  ) {
    this.#original = batch.message.toolCalls[index]!;
  }

  get turn(): TurnControl {
    return this.batch.turn;
  }

  get callId(): string {
    return this.#original.id;
  }

  get toolName(): string {
    return this.#original.name;
  }

  get isToolKnown(): boolean {
    return this.#run !== undefined || findTool(this.batch.prompt.options?.toolCallbacks, this.toolName) !== undefined;
  }

  get arguments(): string {
    return this.#run?.text ?? this.#approvedArguments;
  }

  get decision(): AuditedDecision | undefined {
    const { approved } = this.batch;
    const decided = approved?.approvalOf(this.callId);
    if (!decided) return undefined;
    const { approver, modelArguments } = approved!.callApprovalOf(this.callId) ?? {};
    return { approved: decided.approved, approver, modelArguments };
  }

  get tries(): number {
    return this.#run?.tries ?? 0;
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** Called once the tool of the call is known. */
  follow(run: ToolRun): void {
    this.#run = run;
  }

  /**
   * Records that the code is about to run.
   *
   * @throws an error if the code must not run
   */
  begin(): Promise<void> {
    return (this.#beginning ??= this.#begin());
  }

  /** Records the end of the call before its answer is passed on. */
  async recordEnd(answering: Promise<AnsweredCall>): Promise<AnsweredCall> {
    let answered: AnsweredCall;
    try {
      answered = await answering;
    } catch (error) {
      await this.audit.ended(this, this.#endOf(error));
      throw error;
    }
    await this.audit.ended(this, { outcome: outcomeOf(answered), error: answered.error });
    return answered;
  }

  async #begin(): Promise<void> {
    try {
      await this.audit.began(this);
    } catch (error) {
      // If the tool is retried, record the start again.
      this.#beginning = undefined;
      throw error;
    }
  }

  #endOf(error: unknown): AuditedEnd {
    if (this.turn.isAborted) return { outcome: 'aborted', error };
    const { outcome, cause } = classifyFailure(error);
    return { outcome, error: cause };
  }

  get #approvedArguments(): string {
    const approval = this.batch.approved?.approvalOf(this.callId);
    return toInputText(withApprovedArguments(this.#original, approval).arguments);
  }
}

import { randomUUID } from 'node:crypto';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import { outcomeOf, type ToolCallEnd } from '../model/tool-call-outcome.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolUi } from '../model/tool-ui.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ToolCallDecision, ToolCallRun, TurnObserver } from '../model/turn-observer.js';
import type { TurnObservers } from '../model/turn-observers.js';
import type { ToolRecord } from '../tool/tool-record.js';
import type { ToolRun } from '../tool/tool-run.js';
import { uiOfRecord } from '../tool/tool-ui.js';
import type { AnsweredCall } from './answered-call.js';
import { toInputText, withApprovedArguments } from './call-approvals.js';
import { classifyFailure } from './classify-failure.js';
import type { ToolCallBatch } from './tool-call-batch.js';

/** A call of a turn that is observed. */
export class ObservedCall implements ToolCallRun {
  readonly toolCall: ToolCall;
  readonly #startedAt = performance.now();
  ui: ToolUi | undefined;
  #run: ToolRun | undefined;
  #beginning: Promise<void> | undefined;
  #id: string | undefined;
  #agreed: Set<TurnObserver> | undefined;

  constructor(
    readonly observers: TurnObservers,
    private readonly batch: ToolCallBatch,
    index: number,
  ) {
    this.toolCall = batch.message.toolCalls[index]!;
  }

  get id(): string {
    return (this.#id ??= randomUUID());
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

  get toolDefinition(): ToolDefinition | undefined {
    const { toolCallbacks } = this.batch.prompt.options ?? {};
    return this.#run?.definition ?? findTool(toolCallbacks, this.toolCall.name)?.toolDefinition;
  }

  get arguments(): string {
    return this.#run?.text ?? this.#approvedArguments;
  }

  get decision(): ToolCallDecision | undefined {
    const { approved } = this.batch;
    const decided = approved?.approvals.get(this.toolCall.id);
    if (!decided) return undefined;
    const { approver, modelArguments } = approved!.callApprovals.get(this.toolCall.id) ?? {};
    return { approved: decided.approved, approver, modelArguments };
  }

  get tries(): number {
    return this.#run?.tries ?? 0;
  }

  get duration(): number {
    return performance.now() - this.#startedAt;
  }

  /** Called once the tool of the call is known. */
  follow(run: ToolRun, record: ToolRecord): void {
    this.#run = run;
    this.ui = uiOfRecord(record);
  }

  /**
   * Tells that the code is about to run.
   *
   * @throws an error if the code must not run
   */
  begin(): Promise<void> {
    return (this.#beginning ??= this.#begin());
  }

  /** Tells the end of the call, and waits until all are ready for its answer to be passed on. */
  ended(answered: AnsweredCall): Promise<void> | undefined {
    return this.#ended({ ...answered, outcome: outcomeOf(answered) });
  }

  /** Like {@link ended}, if there is no answer. */
  failed(error: unknown): Promise<void> | undefined {
    return this.#ended(this.#endOf(error));
  }

  /** Tells the answer when the model gets it next. */
  answered({ response, ...answered }: AnsweredCall): void {
    // The provider has yet to run a call that was approved for it. Its result is part of the next answer.
    if (!response || response.providerApproval?.approved) return;
    const answer = { ...answered, response };
    this.observers.toolAnswered(this, { ...answer, outcome: outcomeOf(answer) });
  }

  #ended(end: ToolCallEnd): Promise<void> | undefined {
    const ready = this.observers.toolEnded(this, end);
    // Whoever has aborted the turn does not wait for observers. Their records are on their way.
    if (!ready || this.turn.isAborted) return undefined;
    return Promise.resolve(this.turn.untilEnded(ready)).catch(() => undefined);
  }

  async #begin(): Promise<void> {
    try {
      await this.observers.toolBegins(this, (this.#agreed ??= new Set()));
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
    const approval = this.batch.approved?.approvals.get(this.toolCall.id);
    return toInputText(withApprovedArguments(this.toolCall, approval).arguments);
  }
}

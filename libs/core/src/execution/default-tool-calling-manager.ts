import { Inject, Optional } from '@nestjs/common';
import { isPromise } from '../model/awaitable.js';
import { FinishReason } from '../model/finish-reason.js';
import { type ChatOptions, offeredToolDefinitions } from '../model/chat-options.js';
import type { ChatResponse, Generation } from '../model/chat-response.js';
import { findTool } from '../model/find-tool.js';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import type { AssistantMessage, ToolCall, ToolResponse } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ProviderTool } from '../model/provider-tool.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolEffect } from '../model/tool-labels.js';
import { scopeOf } from '../model/scoped-options.js';
import { type ToolCallCounts, TURN_OBSERVERS, TurnControl } from '../model/turn-control.js';
import type { TurnOutcome } from '../model/turn-ending.js';
import { beginObservation } from '../observability/begin-observation.js';
import { observationOf } from '../observability/request-observation.js';
import { TurnObservation } from '../observability/turn-observation.js';
import { checkTimeout, requirePositive } from '../tool/check-timeout.js';
import { recordOf } from '../tool/record-of.js';
import { baseOf } from '../tool/tool-record.js';
import { ObservedCall } from './observed-call.js';
import { isRunByProvider } from './provider-approval.js';
import { repairCalls } from './repair-calls.js';
import { runCalls } from './run-calls.js';
import { NO_BREACHES, type ToolCallBatch, toResult } from './tool-call-batch.js';
import { readContinuation } from './approvals.js';
import type { AnsweredCall } from './answered-call.js';
import { CallPipeline } from './call-pipeline.js';
import { ResultLimit } from './result-limit.js';
import { ToolCallLimitExceededException } from './tool-call-limit-exceeded.exception.js';
import {
  checkToolCallLimits,
  countCall,
  countProviderCalls,
  countToolCalls,
  type LimitBreach,
  providerToolsWithin,
} from './tool-call-limits.js';
import { ToolCallingManager } from './tool-calling-manager.js';
import type { ToolExecutionResult } from './tool-execution-result.js';
import { TOOL_CALLING_MANAGER_OPTIONS, type ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import { ToolFinder } from './tool-finder.js';

const DEFAULT_CONCURRENCY = 8;

/**
 * Runs the calls of one message concurrently. Each call gets an answer, even if the model made
 * mistakes.
 */
export class DefaultToolCallingManager extends ToolCallingManager {
  readonly #finder: ToolFinder;
  readonly #pipeline: CallPipeline;
  readonly #limit: ResultLimit;

  protected readonly options: ToolCallingManagerOptions;

  constructor(@Optional() @Inject(TOOL_CALLING_MANAGER_OPTIONS) options: ToolCallingManagerOptions = {}) {
    super();
    this.options = options;
    checkToolCallLimits(options.limits ?? {});
    const { concurrency = DEFAULT_CONCURRENCY } = options;
    requirePositive({ concurrency });
    checkTimeout(options.timeout);
    this.#finder = new ToolFinder(options);
    this.#limit = new ResultLimit(options);
    this.#pipeline = new CallPipeline(options, this.#finder, this.#limit);
  }

  /** A builder for the options. Called on a subclass, it builds that subclass. */
  static builder<Class extends MadeOfOptions<DefaultToolCallingManager>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  override get isAudited(): boolean {
    return this.options.services !== undefined;
  }

  override effectOf(callback: ToolCallback): ToolEffect | undefined {
    return this.#pipeline.effectOf(callback);
  }

  override toolsOfTurn(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    return this.#limit.pages?.with(callbacks) ?? callbacks;
  }

  override providerToolsOfRound(tools: readonly ProviderTool[], counts: ToolCallCounts): readonly ProviderTool[] {
    return providerToolsWithin(tools, this.options.limits ?? {}, counts);
  }

  override resolveToolDefinitions(options: ChatOptions): ToolDefinition[] {
    const named = (options.toolNames ?? []).flatMap((name) => {
      const found = this.options.toolCallbackResolver?.resolve(name, scopeOf(options)?.callerRequest);
      // An asynchronous resolver cannot be used here; the `ChatClient` asks it.
      return found && !(found instanceof Promise) ? [found.toolDefinition] : [];
    });
    return [...offeredToolDefinitions(options), ...named];
  }

  override async hasTool(call: ToolCall, prompt: Prompt): Promise<boolean> {
    if (isRunByProvider(call)) return true;
    const turn = scopeOf(prompt.options)?.turn ?? new TurnControl(prompt.options?.signal);
    return (await this.#finder.find(call, prompt, turn)) !== undefined;
  }

  override async executeToolCalls(prompt: Prompt, response: ChatResponse): Promise<ToolExecutionResult> {
    const generation = response.results.find(asksForTools);
    if (!generation)
      throw new Error('No tool call requested by the chat model: call executeToolCalls() if response.hasToolCalls().');
    const turnOfLoop = scopeOf(prompt.options)?.turn;
    const approved = turnOfLoop
      ? turnOfLoop.continuation
      : readContinuation(prompt.messages, generation.output, prompt.options);
    const message =
      approved?.asked ??
      repairCalls(generation.output, prompt.options?.toolCallbacks, turnOfLoop?.callIds ?? [], (call) =>
        this.#finder.mayBeTool(call, prompt),
      );
    // Calls that were counted before the suspension do not count again.
    const breaches = approved ? NO_BREACHES : this.#countCalls(prompt, message);
    if (!approved) turnOfLoop?.hold?.callsAsked(prompt.messages, message);
    const batch: ToolCallBatch = {
      prompt: approved && !turnOfLoop ? Prompt.of(prompt.messages.slice(0, -2), prompt.options) : prompt,
      message,
      breaches,
      approved,
      turn: turnOfLoop ?? new TurnControl(prompt.options?.signal),
      isCutOff: generation.metadata?.finishReason === FinishReason.LENGTH,
    };
    const { observers, services } = this.options;
    try {
      if (!turnOfLoop) this.#observeOwn(batch);
      if (observers || (services && !batch.turn.scope.services)) this.#observe(batch.turn);
      const answers = batch.turn.within ? this.#answerInside(batch) : this.#answerAll(batch);
      const result = toResult(batch, await answers, this.#limit);
      const breach = breaches.find(Boolean);
      if (breach && !this.#tellsOfLimits) throw new ToolCallLimitExceededException(breach, result);
      if (!turnOfLoop) batch.turn.observers?.turnEnded(outcomeOfCalls(result));
      return result;
    } catch (error) {
      if (!turnOfLoop) batch.turn.observers?.turnEnded({ status: 'failed', error });
      throw error;
    } finally {
      if (!turnOfLoop) batch.turn.release();
    }
  }

  /** Counts calls in order, before any of them starts. */
  #countCalls(prompt: Prompt, message: AssistantMessage): readonly (LimitBreach | undefined)[] {
    const { limits = {} } = this.options;
    const { turn } = scopeOf(prompt.options) ?? {};
    const counts = turn?.toolCallCounts ?? countToolCalls(prompt.messages);
    if (turn) turn.toolCallCounts = counts;
    countProviderCalls(message, counts);
    return message.toolCalls.map((call) =>
      isRunByProvider(call) ? undefined : countCall(call, () => this.#finder.mayBeTool(call, prompt), limits, counts),
    );
  }

  get #tellsOfLimits(): boolean {
    return this.options.limits?.onLimitExceeded === 'RETURN_ERROR_RESPONSE';
  }

  /** Calls without a tool loop may be part of a request. Otherwise they get an observation of their own. */
  #observeOwn({ prompt, turn }: ToolCallBatch): void {
    const observation = observationOf(prompt.options) ?? beginObservation(this.options.observability);
    if (observation) turn.observe(new TurnObservation(turn, observation));
  }

  /** Lets those observe the turn who do not come with its client. */
  #observe(turn: TurnControl): void {
    const { observers = [], services } = this.options;
    // A turn may have many messages.
    turn.state(this, () => {
      if (!turn.scope.services) services?.get(TURN_OBSERVERS)?.(turn);
      for (const observer of observers) turn.observe(observer);
      return true;
    });
  }

  #answerInside(batch: ToolCallBatch): Promise<AnsweredCall | AnsweredCall[]> {
    return batch.turn.inside(async () => this.#answerAll(batch));
  }

  /**
   * @returns a single answer for a single call, which is the most common case and faster than a
   *   list
   */
  #answerAll(batch: ToolCallBatch): Promise<AnsweredCall | AnsweredCall[]> {
    const { toolCalls } = batch.message;
    if (toolCalls.length === 1) return this.#answer(batch, 0);
    const runnable = toolCalls.map((call, index) => ({
      sequential: isSequential(findTool(batch.prompt.options?.toolCallbacks, call.name)),
      run: () => this.#answer(batch, index),
    }));
    return runCalls(runnable, this.options.concurrency ?? DEFAULT_CONCURRENCY);
  }

  #answer(batch: ToolCallBatch, index: number): Promise<AnsweredCall> {
    const { turn, approved } = batch;
    return turn.observers || approved || turn.hold
      ? this.#answerOpenly(batch, index)
      : this.#pipeline.answer(batch, index);
  }

  /** Answers a call that is observed or stored, or that may already have an answer. */
  async #answerOpenly(batch: ToolCallBatch, index: number): Promise<AnsweredCall> {
    const { turn, approved } = batch;
    const call = batch.message.toolCalls[index]!;
    const given = approved?.responses.get(call.id);
    if (given) return { response: given, returnDirect: this.#returnsDirectly(batch, given) };
    const observed = turn.observers && new ObservedCall(turn.observers, batch, index);
    let answered: AnsweredCall;
    try {
      if (observed) {
        const ui = turn.observers!.readsUi ? this.#finder.uiOf(call, batch.prompt) : undefined;
        // Without an await, whoever leaves a stream at the event of a call finds it running.
        observed.ui = isPromise(ui) ? await turn.untilAborted(ui) : ui;
        turn.observers!.toolCalled(observed);
      }
      const work = (): Promise<AnsweredCall> => this.#pipeline.answer(batch, index, observed);
      answered = await (observed ? observed.observers.around(observed, work) : work());
    } catch (error) {
      await observed?.failed(error);
      throw error;
    }
    const ready = observed?.ended(answered);
    if (ready) await ready;
    if (answered.response) turn.hold?.callEnded(answered.response);
    observed?.answered(answered);
    return answered;
  }

  #returnsDirectly({ prompt }: ToolCallBatch, { name, isError }: ToolResponse): boolean {
    return !isError && findTool(prompt.options?.toolCallbacks, name)?.toolMetadata?.returnDirect === true;
  }
}

/** The outcome of calls that no loop runs. */
function outcomeOfCalls({ conversationHistory: messages, pendingApprovals }: ToolExecutionResult): TurnOutcome {
  return { status: pendingApprovals ? 'suspended' : 'completed', messages, rounds: 0, response: undefined };
}

function asksForTools({ output }: Generation): boolean {
  return output.toolCalls?.length > 0;
}

function isSequential(callback: ToolCallback | undefined): boolean {
  if (!callback) return false;
  const record = recordOf(callback);
  return record.metadata.sequential === true || baseOf(record).metadata.sequential === true;
}

import { Inject, Logger, Optional } from '@nestjs/common';
import { type ChatOptions, offeredToolDefinitions } from '../model/chat-options.js';
import type { Awaitable } from '../model/awaitable.js';
import type { ChatResponse } from '../model/chat-response.js';
import { findTool } from '../model/find-tool.js';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import { type AssistantMessage, type ToolCall, type ToolResponse } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { refuseNullOptions, requireGiven } from '../model/null-checks.js';
import { originOf, type ToolCallback } from '../model/tool-callback.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { TURN_CONTEXT, TurnContext } from '../model/turn-context.js';
import { ToolContext } from '../model/tool-context.js';
import { isConditional, isVisible, type ToolFilter } from '../tool/tool-visibility.js';
import { checkTimeout } from '../tool/check-timeout.js';
import { messageOf, toToolExecutionException } from '../tool/tool-execution.exception.js';
import { deniedText, withApprovedArguments } from './approvals.js';
import { repairCalls } from './repair-calls.js';
import { runCalls } from './run-calls.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import { approvedExecution, failed, NO_BREACHES, type ToolCallBatch, toResult } from './tool-call-batch.js';
import { type AnsweredCall, type RunnableToolCall, ToolCallRunner } from './tool-call-runner.js';
import { ToolCallLimitExceededException } from './tool-call-limit-exceeded.exception.js';
import {
  checkToolCallLimits,
  countToolCalls,
  type LimitBreach,
  ToolCallCounter,
  type ToolCallLimits,
} from './tool-call-limits.js';
import type { ToolCallbackResolver } from './tool-callback-resolver.js';
import { ToolCallingManager } from './tool-calling-manager.js';
import {
  DefaultToolExecutionExceptionProcessor,
  type ToolExecutionExceptionProcessor,
} from './tool-execution-exception-processor.js';
import type { ToolExecutionResult } from './tool-execution-result.js';
import { unknownToolText } from './tool-lookup.js';

/** The options of {@link DefaultToolCallingManager}. */
export interface ToolCallingManagerOptions {
  /** Finds tools that the request does not bring, when `resolutionFallbackEnabled` is set. */
  toolCallbackResolver?: ToolCallbackResolver;
  /** Decides what becomes of failed calls. Default: the model is told the message. */
  toolExecutionExceptionProcessor?: ToolExecutionExceptionProcessor;
  /** How many calls a turn may make. Default: 40 of one tool, 150 in total. */
  limits?: ToolCallLimits;
  /** How many calls of one message run at the same time. Default: 8. */
  concurrency?: number;
  /** How long a call may take, in milliseconds, unless its tool says otherwise. Default: no limit. */
  timeout?: number;
  /** Puts arguments right that are no JSON; `new JsonRepair()` is a ready one. Default: the model is told to. */
  argumentRepair?: ToolArgumentRepair;
  /** What the configuration says of a tool's policies, over what the tool says itself. Asked once a tool. */
  policiesOf?: (toolName: string) => ToolPolicies | undefined;
  /**
   * What stands for a tool where the manager lives, such as the same tool behind guards; undefined for one that is turned off
   * there. Default: the tool itself.
   */
  registered?: (callback: ToolCallback) => ToolCallback | undefined;
  /** Decides which tools that are looked up by name a request may have. Default: those whose `visible` allows it. */
  toolFilter?: ToolFilter;
  /** Whether a tool that the request does not bring may be looked up by name and run. Default: false. */
  resolutionFallbackEnabled?: boolean;
}

/** Where the container keeps the options of a {@link DefaultToolCallingManager} and its subclasses. */
export const TOOL_CALLING_MANAGER_OPTIONS: unique symbol = Symbol.for('nestor.ToolCallingManagerOptions');

const DEFAULT_CONCURRENCY = 8;

/** Runs the calls of one message at the same time and answers each, whatever the model did wrong. */
export class DefaultToolCallingManager extends ToolCallingManager {
  readonly #exceptionProcessor: ToolExecutionExceptionProcessor;
  readonly #runner: ToolCallRunner;
  readonly #logger = new Logger(DefaultToolCallingManager.name);

  protected readonly options: ToolCallingManagerOptions;

  constructor(@Optional() @Inject(TOOL_CALLING_MANAGER_OPTIONS) options: ToolCallingManagerOptions = {}) {
    super();
    refuseNullOptions(options);
    this.options = options;
    checkToolCallLimits(options.limits ?? {});
    const { concurrency = DEFAULT_CONCURRENCY } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError(`concurrency must be a whole number greater than 0, but is ${concurrency}.`);
    }
    checkTimeout(options.timeout);
    this.#runner = new ToolCallRunner(options);
    this.#exceptionProcessor = options.toolExecutionExceptionProcessor ?? new DefaultToolExecutionExceptionProcessor();
  }

  /** The options made fluent; of a subclass, it builds that. */
  static builder<Class extends MadeOfOptions<DefaultToolCallingManager>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  override resolveToolDefinitions(options: ChatOptions): ToolDefinition[] {
    requireGiven(options, 'chatOptions');
    const named = (options.toolNames ?? []).flatMap((name) => {
      const found = this.options.toolCallbackResolver?.resolve(name);
      // A resolver that has to look elsewhere cannot be asked here; the `ChatClient` asks it.
      return found && !(found instanceof Promise) ? [found.toolDefinition] : [];
    });
    return [...offeredToolDefinitions(options), ...named];
  }

  override async executeToolCalls(prompt: Prompt, response: ChatResponse): Promise<ToolExecutionResult> {
    requireGiven(prompt, 'prompt');
    requireGiven(response, 'chatResponse');
    const generation = response.results.find(({ output }) => output.toolCalls?.length > 0);
    if (!generation) throw new Error('No tool call requested by the chat model');
    const turnOfLoop = prompt.options?.[TURN_CONTEXT];
    const approved = approvedExecution(prompt, generation.output, turnOfLoop);
    const message =
      approved?.asked ?? repairCalls(generation.output, prompt.options?.toolCallbacks, turnOfLoop?.callIds ?? []);
    // What was counted before the turn was suspended is not counted again.
    const breaches = approved ? NO_BREACHES : this.#countCalls(prompt, message);
    const batch: ToolCallBatch = {
      prompt: approved ? Prompt.of(approved.before, prompt.options) : prompt,
      message,
      breaches,
      approved,
      turn: turnOfLoop ?? new TurnContext(prompt.options?.signal),
      isCutOff: generation.metadata?.finishReason === 'length',
    };
    try {
      const { turn } = batch;
      const answers = turn.isSurrounded ? turn.run(() => this.#answerAll(batch)) : this.#answerAll(batch);
      const result = toResult(batch, await answers);
      const breach = breaches.find((found) => found !== undefined);
      if (breach && !this.#tellsOfLimits) throw new ToolCallLimitExceededException(breach, result);
      return result;
    } finally {
      if (!turnOfLoop) batch.turn.release();
    }
  }

  /** Limits count in the order of the calls, before any of them starts. */
  #countCalls(prompt: Prompt, message: AssistantMessage): readonly (LimitBreach | undefined)[] {
    const turn = prompt.options?.[TURN_CONTEXT];
    const counts = turn?.toolCallCounts ?? countToolCalls(prompt.messages);
    if (turn) turn.toolCallCounts = counts;
    const counter = new ToolCallCounter(this.options.limits ?? {}, counts);
    return message.toolCalls.map((call) => counter.count(call, this.#mayBeTool(call, prompt)));
  }

  #mayBeTool({ name }: ToolCall, prompt: Prompt): boolean {
    if (findTool(prompt.options?.toolCallbacks, name) || prompt.options?.toolNames?.includes(name)) return true;
    return this.options.resolutionFallbackEnabled === true && Boolean(name?.trim());
  }

  get #tellsOfLimits(): boolean {
    return this.options.limits?.onLimitExceeded === 'RETURN_ERROR_RESPONSE';
  }

  #answerAll(batch: ToolCallBatch): Promise<AnsweredCall[]> {
    const { toolCalls } = batch.message;
    // By far the commonest message has one call.
    if (toolCalls.length === 1) return this.#answer(batch, 0).then(alone);
    const runnable = toolCalls.map((call, index) => ({
      sequential: isSequential(findTool(batch.prompt.options?.toolCallbacks, call.name)),
      run: () => this.#answer(batch, index),
    }));
    return runCalls(runnable, this.options.concurrency ?? DEFAULT_CONCURRENCY);
  }

  #answer(batch: ToolCallBatch, index: number): Promise<AnsweredCall> {
    return batch.turn.isWatched || batch.approved ? this.#answerOpenly(batch, index) : this.#decide(batch, index);
  }

  /** Answers a call that somebody watches, or that may have been answered before. */
  async #answerOpenly(batch: ToolCallBatch, index: number): Promise<AnsweredCall> {
    const { turn, approved } = batch;
    const call = batch.message.toolCalls[index]!;
    const given = approved?.responses.get(call.id);
    if (given) return { response: given, returnDirect: this.#returnsDirectly(batch, given) };
    if (!approved) turn.emit({ type: 'tool-call', toolCall: call });
    const answered = await this.#decide(batch, index);
    const { response } = answered;
    if (response) turn.progress?.set(call.id, response);
    else turn.progress?.delete(call.id);
    if (response) turn.emit({ type: response.isError ? 'tool-error' : 'tool-result', toolCall: call, response });
    return answered;
  }

  /** Whether the call is run at all, and what of. */
  async #decide(batch: ToolCallBatch, index: number): Promise<AnsweredCall> {
    const { prompt, turn, breaches, approved, message, isCutOff } = batch;
    turn.throwIfAborted();
    const breach = breaches[index];
    const original = message.toolCalls[index]!;
    if (breach) return failed(original, breach.text);
    const approval = approved?.approvals.get(original.id);
    if (approval && !approval.approved) return failed(original, deniedText(original, approval));
    const call = approval ? withApprovedArguments(original, approval) : original;
    const given = findTool(prompt.options?.toolCallbacks, call.name);
    const found = given ? this.#visible(given, batch, call) : this.#resolveElsewhere(call, batch);
    let visible: ToolCallback | undefined;
    try {
      visible = found instanceof Promise ? await found : found;
    } catch (error) {
      this.#logger.error(messageOf(error));
      return failed(call, `The tool '${call.name}' cannot be called now.`);
    }
    turn.throwIfAborted();
    const callback = visible && this.options.registered ? this.options.registered(visible) : visible;
    if (!callback) {
      const offered = offeredToolDefinitions(prompt.options)
        .map(({ name }) => name)
        .filter((name) => name !== call.name);
      return failed(call, unknownToolText(call.name ?? '', offered));
    }
    const runnable = { callback, call, prompt, turn, isApproved: approval !== undefined, isCutOff };
    // From here on nobody can say that it has not run.
    turn.progress?.set(call.id, undefined);
    const answered = await this.#run(runnable);
    if (!answered.response && breaches !== NO_BREACHES && breaches.some(Boolean) && !this.#tellsOfLimits)
      return failed(call, `The call of '${call.name}' was not run, since a limit of the turn is exceeded.`);
    return call === original ? answered : { changed: call, ...answered };
  }

  async #run(runnable: RunnableToolCall): Promise<AnsweredCall> {
    const { callback, call, turn } = runnable;
    try {
      return await this.#runner.run(runnable);
    } catch (error) {
      // An abort is the caller's wish, not a failure of the tool.
      turn.throwIfAborted();
      const changed = await this.#runner.repaired(runnable, error);
      if (changed) return { changed, ...(await this.#run({ ...runnable, call: changed, isRepaired: true })) };
      return failed(call, this.#exceptionProcessor.process(toToolExecutionException(callback.toolDefinition, error)));
    }
  }

  #returnsDirectly({ prompt }: ToolCallBatch, { name, isError }: ToolResponse): boolean {
    return !isError && findTool(prompt.options?.toolCallbacks, name)?.toolMetadata?.returnDirect === true;
  }

  async #resolveElsewhere(call: ToolCall, batch: ToolCallBatch): Promise<ToolCallback | undefined> {
    if (!this.#mayBeTool(call, batch.prompt)) return undefined;
    try {
      const found = await this.options.toolCallbackResolver?.resolve(call.name);
      return found && (await this.#visible(found, batch, call));
    } catch (error) {
      // The model asked for something that cannot be found now: no reason to lose the turn.
      this.#logger.warn(`The tool '${call.name}' could not be looked up: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** The tool, if the request may have it: an advisor may have brought one of which nobody has asked that. */
  #visible(
    callback: ToolCallback,
    { prompt, turn }: ToolCallBatch,
    toolCall: ToolCall,
  ): Awaitable<ToolCallback | undefined> {
    const { toolFilter } = this.options;
    if (!toolFilter && !isConditional(callback)) return callback;
    const context = new ToolContext(prompt.options?.toolContext, { toolCall, history: prompt.messages, turn });
    return isVisible(callback, context, toolFilter).then((visible) => (visible ? callback : undefined));
  }
}

function isSequential(callback: ToolCallback | undefined): boolean {
  if (!callback) return false;
  return callback.toolMetadata?.sequential === true || originOf(callback).toolMetadata?.sequential === true;
}

function alone<T>(answer: T): T[] {
  return [answer];
}

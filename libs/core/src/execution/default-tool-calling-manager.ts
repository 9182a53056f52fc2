import { Inject, Logger, Optional } from '@nestjs/common';
import { type ChatOptions, offeredToolDefinitions } from '../model/chat-options.js';
import type { ChatResponse } from '../model/chat-response.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { type AssistantMessage, type ToolCall, type ToolResponse, ToolResponseMessage } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { refuseNullOptions, requireGiven } from '../model/null-checks.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { ToolResult } from '../model/tool-result.js';
import { TURN_CONTEXT, TurnContext } from '../model/turn-context.js';
import { checkTimeout } from '../tool/check-timeout.js';
import { toJsonText } from '../tool/result/to-json-text.js';
import { messageOf, toToolExecutionException } from '../tool/tool-execution.exception.js';
import { runCalls } from './run-calls.js';
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
import { findTool, unknownToolText } from './tool-lookup.js';
import { withTimeout } from './with-timeout.js';

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
  /** What stands for a tool where the manager lives, such as the same tool behind guards. Default: the tool itself. */
  registered?: (callback: ToolCallback) => ToolCallback;
  /** Whether a tool that the request does not bring may be looked up by name and run. Default: false. */
  resolutionFallbackEnabled?: boolean;
}

/** Where the container keeps the options of a {@link DefaultToolCallingManager} and its subclasses. */
export const TOOL_CALLING_MANAGER_OPTIONS: unique symbol = Symbol.for('nestor.ToolCallingManagerOptions');

/** One call, what answers it, and whether that is returned to the user. */
interface AnsweredCall {
  readonly response: ToolResponse;
  readonly returnDirect: boolean;
}

const DEFAULT_CONCURRENCY = 8;

/** Runs the calls of one message at the same time and answers each, whatever the model did wrong. */
export class DefaultToolCallingManager extends ToolCallingManager {
  readonly #exceptionProcessor: ToolExecutionExceptionProcessor;
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
    this.#exceptionProcessor = options.toolExecutionExceptionProcessor ?? new DefaultToolExecutionExceptionProcessor();
  }

  /** The options made fluent; of a subclass, it builds that. */
  static builder<T extends DefaultToolCallingManager>(
    this: new (options: ToolCallingManagerOptions) => T,
  ): FluentBuilder<ToolCallingManagerOptions, T> {
    return fluentBuilder((options: ToolCallingManagerOptions) => new this(options));
  }

  override resolveToolDefinitions(options: ChatOptions): ToolDefinition[] {
    requireGiven(options, 'chatOptions');
    return [...offeredToolDefinitions(options)];
  }

  override async executeToolCalls(prompt: Prompt, response: ChatResponse): Promise<ToolExecutionResult> {
    requireGiven(prompt, 'prompt');
    requireGiven(response, 'chatResponse');
    const message = response.results.find(({ output }) => output.toolCalls?.length > 0)?.output;
    if (!message) throw new Error('No tool call requested by the chat model');
    const breaches = this.#countCalls(prompt, message);
    const answers = await this.#answerAll(prompt, message, breaches);
    const result = this.#toResult(prompt, message, answers);
    const breach = breaches.find((found) => found !== undefined);
    if (breach && this.options.limits?.onLimitExceeded !== 'RETURN_ERROR_RESPONSE') {
      throw new ToolCallLimitExceededException(breach, result);
    }
    return result;
  }

  /** Limits count in the order of the calls, before any of them starts. */
  #countCalls(prompt: Prompt, message: AssistantMessage): (LimitBreach | undefined)[] {
    const turn = prompt.options?.[TURN_CONTEXT];
    const counts = turn?.toolCallCounts ?? countToolCalls(prompt.messages);
    if (turn) turn.toolCallCounts = counts;
    const counter = new ToolCallCounter(this.options.limits ?? {}, counts);
    return message.toolCalls.map((call) => counter.count(call, this.#mayBeTool(call, prompt)));
  }

  #mayBeTool({ name }: ToolCall, prompt: Prompt): boolean {
    if (findTool(prompt.options?.toolCallbacks, name)) return true;
    return this.options.resolutionFallbackEnabled === true && Boolean(name?.trim());
  }

  async #answerAll(
    prompt: Prompt,
    message: AssistantMessage,
    breaches: readonly (LimitBreach | undefined)[],
  ): Promise<AnsweredCall[]> {
    const turnOfLoop = prompt.options?.[TURN_CONTEXT];
    const turn = turnOfLoop ?? new TurnContext(prompt.options?.signal);
    const { toolCalls } = message;
    try {
      // By far the commonest message has one call.
      if (toolCalls.length === 1) return [await this.#answer(toolCalls[0]!, breaches[0], prompt, turn)];
      const runnable = toolCalls.map((call, index) => ({
        sequential: findTool(prompt.options?.toolCallbacks, call.name)?.toolMetadata?.sequential === true,
        run: () => this.#answer(call, breaches[index], prompt, turn),
      }));
      return await runCalls(runnable, this.options.concurrency ?? DEFAULT_CONCURRENCY);
    } finally {
      if (!turnOfLoop) turn.release();
    }
  }

  async #answer(
    call: ToolCall,
    breach: LimitBreach | undefined,
    prompt: Prompt,
    turn: TurnContext,
  ): Promise<AnsweredCall> {
    turn.throwIfAborted();
    if (breach) return failed(call, breach.text);
    const found = findTool(prompt.options?.toolCallbacks, call.name) ?? (await this.#resolveElsewhere(call, prompt));
    const callback = found && (this.options.registered?.(found) ?? found);
    if (!callback) {
      const offered = offeredToolDefinitions(prompt.options).map(({ name }) => name);
      return failed(call, unknownToolText(call.name ?? '', offered));
    }
    try {
      return await this.#run(callback, call, prompt, turn);
    } catch (error) {
      // An abort is the caller's wish, not a failure of the tool.
      turn.throwIfAborted();
      return failed(call, this.#exceptionProcessor.process(toToolExecutionException(callback.toolDefinition, error)));
    }
  }

  async #run(callback: ToolCallback, call: ToolCall, prompt: Prompt, turn: TurnContext): Promise<AnsweredCall> {
    const run = (signal?: AbortSignal): Promise<Awaited<ReturnType<ToolCallback['call']>>> =>
      callback.call(
        toInputText(call.arguments),
        new ToolContext(prompt.options?.toolContext, {
          toolCall: call,
          history: prompt.messages,
          turn,
          ...(signal && { signal }),
        }),
      );
    const timeout = (callback.toolMetadata?.timeout as number | undefined) ?? this.options.timeout;
    const result =
      turn.isAbortable || timeout !== undefined ? await withTimeout(call.name, timeout, turn.signal, run) : await run();
    const returnDirect = callback.toolMetadata?.returnDirect ?? false;
    if (typeof result === 'string') {
      return { response: { id: call.id, name: call.name, responseData: result }, returnDirect };
    }
    const { text, content, isError, value } = toToolResult(result);
    return {
      response: {
        id: call.id,
        name: call.name,
        responseData: text,
        ...(isError && { isError }),
        ...(content && { content }),
        ...(value !== undefined && { value }),
      },
      returnDirect: returnDirect && !isError,
    };
  }

  async #resolveElsewhere(call: ToolCall, prompt: Prompt): Promise<ToolCallback | undefined> {
    if (!this.#mayBeTool(call, prompt)) return undefined;
    try {
      return await this.options.toolCallbackResolver?.resolve(call.name);
    } catch (error) {
      // The model asked for something that cannot be found now: no reason to lose the turn.
      this.#logger.warn(`The tool '${call.name}' could not be looked up: ${messageOf(error)}`);
      return undefined;
    }
  }

  #toResult(prompt: Prompt, message: AssistantMessage, answers: readonly AnsweredCall[]): ToolExecutionResult {
    const responses = answers.map(({ response }) => response);
    return {
      conversationHistory: [...prompt.messages, message, new ToolResponseMessage({ responses })],
      returnDirect: answers.every(({ returnDirect }) => returnDirect),
    };
  }
}

/** No arguments at all are none; some adapters give them already parsed. */
function toInputText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return given === undefined || given === null ? '{}' : JSON.stringify(given);
}

/** A tool of somebody's own may give anything. */
function toToolResult(result: unknown): ToolResult {
  const given = result as Partial<ToolResult> | null | undefined;
  const isResult =
    typeof given === 'object' && given !== null && (ToolResult.isToolResult(given) || typeof given.text === 'string');
  if (!isResult) return new ToolResult({ text: result === undefined ? '' : toJsonText(result) });
  const { text, content, isError, value } = given;
  return new ToolResult({
    text: typeof text === 'string' ? text : toJsonText(text),
    ...(Array.isArray(content) && { content }),
    ...(isError && { isError }),
    ...(value !== undefined && { value }),
  });
}

function failed(call: ToolCall, responseData: string): AnsweredCall {
  return { response: { id: call.id, name: call.name, responseData, isError: true }, returnDirect: false };
}

import { offeredToolDefinitions } from '../model/chat-options.js';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolCallOutcome } from '../observability/tool-call-outcome.js';
import { toToolExecutionException } from '../tool/tool-execution.exception.js';
import { deniedText, withApprovedArguments } from './approvals.js';
import { classifyFailure } from './classify-failure.js';
import { failed, type ToolCallBatch } from './tool-call-batch.js';
import { ToolCallLog } from './tool-call-log.js';
import { type AnsweredCall, type RunnableToolCall, ToolCallRunner } from './tool-call-runner.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import {
  DefaultToolExecutionExceptionProcessor,
  type ToolExecutionExceptionProcessor,
} from './tool-execution-exception-processor.js';
import type { ToolFinder } from './tool-finder.js';
import { unknownToolText } from './tool-lookup.js';

/** A call that may run, as far as humans and limits are concerned. */
interface DecidedCall {
  readonly batch: ToolCallBatch;
  /** As the model has asked for it. */
  readonly original: ToolCall;
  /** As it was approved. */
  readonly call: ToolCall;
  readonly isApproved: boolean;
}

/**
 * Answers single calls: with what the tool says, or with what the model is told instead. A call that may run at once makes no
 * promises but those of running it.
 */
export class ToolCallAnswerer {
  readonly #exceptionProcessor: ToolExecutionExceptionProcessor;
  readonly #runner: ToolCallRunner;
  readonly #log = new ToolCallLog();

  constructor(
    private readonly options: ToolCallingManagerOptions,
    private readonly finder: ToolFinder,
  ) {
    this.#exceptionProcessor = options.toolExecutionExceptionProcessor ?? new DefaultToolExecutionExceptionProcessor();
    this.#runner = new ToolCallRunner(options);
  }

  /** Whether the call is run at all, and what of. */
  answer(batch: ToolCallBatch, index: number): Promise<AnsweredCall> {
    const { prompt, turn, breaches, approved, message } = batch;
    try {
      turn.throwIfAborted();
      const original = message.toolCalls[index]!;
      const breach = breaches[index];
      if (breach) return Promise.resolve(this.#fail(original, breach.text, 'limit_exceeded'));
      const approval = approved?.approvals.get(original.id);
      if (approval && !approval.approved) {
        return Promise.resolve(this.#fail(original, deniedText(original, approval), 'denied'));
      }
      const call = approval ? withApprovedArguments(original, approval) : original;
      const decided = { batch, original, call, isApproved: approval !== undefined };
      const found = this.finder.find(call, prompt, turn);
      return found instanceof Promise ? this.#awaitTool(decided, found) : this.#callFound(decided, found);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #awaitTool(decided: DecidedCall, found: Promise<ToolCallback | undefined>): Promise<AnsweredCall> {
    const { batch, call } = decided;
    let visible: ToolCallback | undefined;
    try {
      visible = await found;
    } catch (error) {
      return this.#fail(call, `The tool '${call.name}' cannot be called now.`, 'unavailable', error);
    }
    batch.turn.throwIfAborted();
    return this.#callFound(decided, visible);
  }

  #callFound(decided: DecidedCall, visible: ToolCallback | undefined): Promise<AnsweredCall> {
    const { batch, original, call, isApproved } = decided;
    const { prompt, turn, isCutOff, breaches } = batch;
    const callback = visible && this.options.registered ? this.options.registered(visible) : visible;
    if (!callback) return Promise.resolve(this.#failUnknown(call, prompt));
    // From here on nobody can say that it has not run.
    turn.progress?.set(call.id, undefined);
    const running = this.#run({ callback, call, prompt, turn, isApproved, isCutOff });
    // Nearly always there is nothing to add to what the tool has answered.
    if (call === original && !batch.observation && !breaches.some(Boolean)) return running;
    return running.then((answered) => this.#complete(decided, callback, answered));
  }

  #complete(
    { batch, original, call }: DecidedCall,
    { toolDefinition }: ToolCallback,
    answered: AnsweredCall,
  ): AnsweredCall {
    const { breaches, observation, prompt } = batch;
    if (
      !answered.response &&
      breaches.some(Boolean) &&
      this.options.limits?.onLimitExceeded !== 'RETURN_ERROR_RESPONSE'
    )
      return this.#fail(
        call,
        `The call of '${call.name}' was not run, since a limit of the turn is exceeded.`,
        'limit_exceeded',
      );
    const isLookedFor = observation && !findTool(prompt.options?.toolCallbacks, call.name);
    const told = isLookedFor ? { ...answered, toolDefinition } : answered;
    return call === original ? told : { changed: call, ...told };
  }

  /** What is done when a tool has ended is no longer inside of what the tool has entered with `enterWith()`. */
  #run(runnable: RunnableToolCall): Promise<AnsweredCall> {
    return this.#runner.run(runnable).then(
      (answered) => {
        this.#log.answered(runnable.call);
        return answered;
      },
      (error: unknown) => this.#recover(runnable, error),
    );
  }

  /** Answers a call that has failed: with arguments that are put right, or with what the model is told of it. */
  async #recover(runnable: RunnableToolCall, error: unknown): Promise<AnsweredCall> {
    const { callback, call, turn } = runnable;
    // An abort is the caller's wish, not a failure of the tool.
    turn.throwIfAborted();
    const changed = await this.#runner.repaired(runnable, error);
    if (changed) return { changed, ...(await this.#run({ ...runnable, call: changed, isRepaired: true })) };
    const exception = toToolExecutionException(callback.toolDefinition, error);
    const { outcome, cause } = classifyFailure(exception);
    return this.#fail(call, this.#exceptionProcessor.process(exception), outcome, cause);
  }

  #failUnknown(call: ToolCall, { options }: Prompt): AnsweredCall {
    const offered = offeredToolDefinitions(options)
      .map(({ name }) => name)
      .filter((name) => name !== call.name);
    return this.#fail(call, unknownToolText(call.name ?? '', offered), 'unknown_tool');
  }

  /** A call that was not run, or in vain. */
  #fail(call: ToolCall, text: string, outcome: ToolCallOutcome, error?: unknown): AnsweredCall {
    this.#log.failed(call, outcome, error);
    return failed(call, text, outcome, error);
  }
}

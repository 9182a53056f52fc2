import { offeredToolDefinitions } from '../model/chat-options.js';
import { isPromise } from '../model/awaitable.js';
import type { ToolCall } from '../model/messages.js';
import { decideForProvider, isRunByProvider } from './provider-approval.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolResult } from '../model/tool-result.js';
import { outcomeOf, type ToolCallOutcome } from '../model/tool-call-outcome.js';
import type { ToolEffect } from '../model/tool-labels.js';
import { toToolExecutionException } from '../tool/tool-execution.exception.js';
import { recordOf } from '../tool/record-of.js';
import { WAITS } from '../tool/tool-run.js';
import { deniedText } from './approvals.js';
import { type AnsweredCall, asUntrustedAnswer, failedCall, PENDING, toAnsweredCall } from './answered-call.js';
import { classifyFailure } from './classify-failure.js';
import { readInputRequest, stillAsking } from './pending-inputs.js';
import { PipelineCall } from './pipeline-call.js';
import type { ObservedCall } from './observed-call.js';
import type { ResultLimit } from './result-limit.js';
import { cutOffText, type ToolCallBatch } from './tool-call-batch.js';
import { ToolCallLog } from './tool-call-log.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import {
  DefaultToolExecutionExceptionProcessor,
  type ToolExecutionExceptionProcessor,
} from './tool-execution-exception-processor.js';
import type { ToolFinder } from './tool-finder.js';
import { unknownToolText } from './tool-lookup.js';
import { ToolPolicyLookup } from './tool-policy-lookup.js';
import { REDACTOR } from '../model/content-redactor.js';

/**
 * Answers the calls of a message, one at a time. A call takes the following steps, in this order.
 * If a step fails, the model gets the error.
 *
 * 1. Names and ids are repaired for the whole message (`repair-calls.ts`).
 * 2. Limits are counted for the whole message before any of its calls runs
 *    (`tool-call-limits.ts`).
 * 3. The tool is looked up among those of the request (`tool-finder.ts`). A call that the provider
 *    runs only waits for a human decision (`provider-approval.ts`), and ends here.
 * 4. The arguments are parsed and, if they are not valid JSON, repaired (`pipeline-call.ts`, also
 *    for the following steps). Unreadable arguments fail in step 6.
 * 5. Nest's guards run with the arguments as a plain object.
 * 6. The arguments are validated and converted for the code (`parse` of the tool's record).
 * 7. A call that needs approval and has none waits: nothing runs. A call that cannot be undone
 *    needs approval once the model has read untrusted content (`call-policies.ts`).
 * 8. Nest's interceptors run around the following steps.
 * 9. Policies apply (`call-policies.ts`): rate limit, cache, concurrency key, retry, timeout.
 * 10. Observers, such as an audit, are told of the start of the code, and may refuse it. Then
 *     Nest's pipes and the code run (`run` of the record).
 *     Code that asks its user for input runs again with the answer (`pending-inputs.ts`). For code
 *     that deferred its result, only steps 11 to 13 follow when the result is delivered.
 * 11. The result is converted (`convert` of the record).
 * 12. Results and errors that are too long for the model are cut (`result-limit.ts`).
 * 13. Observers are told of the end of the call, even if an earlier step ended it.
 *
 * Nest's exception filters see the failures of steps 5 to 10.
 */
export class CallPipeline {
  readonly #exceptionProcessor: ToolExecutionExceptionProcessor;
  readonly #policies: ToolPolicyLookup;
  readonly #log = new ToolCallLog();

  constructor(
    private readonly options: ToolCallingManagerOptions,
    private readonly finder: ToolFinder,
    private readonly limit: ResultLimit,
  ) {
    this.#exceptionProcessor = options.toolExecutionExceptionProcessor ?? new DefaultToolExecutionExceptionProcessor();
    this.#policies = new ToolPolicyLookup(options);
  }

  effectOf(callback: ToolCallback): ToolEffect | undefined {
    return this.#policies.effectOf(recordOf(callback));
  }

  /**
   * Answers a call of a batch. Rejects only if the turn is aborted, or the exception processor or
   * `registered` throws.
   *
   * @param observed undefined if nobody observes the turn
   */
  answer(batch: ToolCallBatch, index: number, observed?: ObservedCall): Promise<AnsweredCall> {
    const { prompt, turn, breaches, approved, message } = batch;
    try {
      turn.throwIfAborted();
      const original = message.toolCalls[index]!;
      const breach = breaches[index];
      if (breach) return Promise.resolve(this.#fail(batch, original, breach.text, 'limit_exceeded'));
      const approval = approved?.approvals.get(original.id);
      if (isRunByProvider(original)) return Promise.resolve(decideForProvider(batch, original, this.#log));
      if (approval && !approval.approved) {
        const told = deniedText(original, approval, approved!);
        const denied = this.#fail(batch, original, told, 'denied');
        return Promise.resolve({ ...denied, approval: approved!.callApprovals.get(original.id)! });
      }
      const asking = approved && stillAsking(approved, original, turn.scope.continued?.queue);
      if (asking) return Promise.resolve(asking);
      const call = new PipelineCall(batch, original, observed);
      const found = this.finder.find(call.call, prompt, turn);
      const answering = isPromise(found) ? this.#awaitTool(call, found) : this.#callFound(call, found);
      return approval ? call.withApproval(answering) : answering;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #awaitTool(waiting: PipelineCall, found: Promise<ToolCallback | undefined>): Promise<AnsweredCall> {
    const { turn } = waiting;
    let callback: ToolCallback | undefined;
    try {
      callback = await turn.untilAborted(found);
    } catch (error) {
      turn.throwIfAborted();
      return this.#failUnavailable(waiting, error);
    }
    turn.throwIfAborted();
    return this.#callFound(waiting, callback);
  }

  #callFound(call: PipelineCall, found: ToolCallback | undefined): Promise<AnsweredCall> {
    const callback = found && this.options.registered ? this.options.registered(found) : found;
    if (!callback) return Promise.resolve(this.#failUnknown(call.batch, call.call));
    const cutOff = call.batch.isCutOff && cutOffText(call.batch, call.call, callback);
    if (cutOff) return Promise.resolve(this.#fail(call.batch, call.call, cutOff, 'invalid_arguments'));
    try {
      const record = recordOf(callback);
      call.prepare(record, this.#policies.of(record), this.options.argumentRepair);
    } catch (error) {
      return Promise.resolve(this.#failUnavailable(call, error));
    }
    const { hold } = call.turn;
    if (hold) call.noteIn(hold, (result) => this.#toAnswer(call, result).response!);
    const delivered = call.input?.delivered;
    // Not `await`: the code after a tool must not run inside a context that the tool entered with
    // `enterWith()`.
    return (delivered ? call.deliver(delivered) : call.complete()).then(
      (result) => this.#answered(call, result),
      (error: unknown) => this.#failed(call, error),
    );
  }

  #answered(call: PipelineCall, result: string | ToolResult | typeof WAITS): AnsweredCall {
    if (result === WAITS) return this.#waits(call, PENDING);
    let answered: AnsweredCall;
    try {
      answered = this.#toAnswer(call, result);
    } catch (error) {
      // Reading a custom result object may throw.
      return this.#failed(call, error);
    }
    this.#log.answered(call.call, call.approval);
    return this.#complete(call, answered);
  }

  /** A turn that ends because of a limit cannot wait. */
  #waits(waiting: PipelineCall, answer: AnsweredCall): AnsweredCall {
    const { batch, call, approval } = waiting;
    this.#log.failed(call, outcomeOf(answer), undefined, approval);
    if (!batch.breaches.some(Boolean) || this.options.limits?.onLimitExceeded === 'RETURN_ERROR_RESPONSE') {
      return this.#complete(waiting, answer);
    }
    const text = `The call of '${call.name}' was not ${answer.input ? 'completed' : 'run'}, since a limit of the turn is exceeded.`;
    return this.#complete(waiting, this.#fail(batch, call, text, 'limit_exceeded'));
  }

  /** The answer for the model or the caller. */
  #toAnswer({ batch, call, record, isUntrusted }: PipelineCall, result: string | ToolResult): AnsweredCall {
    const answered = toAnsweredCall(call, result, record.metadata.returnDirect);
    return this.limit.cutAnswer(isUntrusted ? asUntrustedAnswer(answered) : answered, batch, record);
  }

  /**
   * @throws what the exception processor throws; the abort reason if the turn was aborted, which
   *   is not a failure of the tool
   */
  #failed(failing: PipelineCall, error: unknown): AnsweredCall {
    const { batch, call, record, approval, isUntrusted } = failing;
    batch.turn.throwIfAborted();
    const thrown = readInputRequest(error, approval);
    if ('asking' in thrown) return this.#waits(failing, thrown.asking);
    const exception = toToolExecutionException(record.definition, thrown.error);
    const { outcome, cause } = classifyFailure(exception);
    const text = this.#exceptionProcessor.process(exception);
    return this.#complete(failing, this.#fail(batch, call, text, outcome, cause, isUntrusted));
  }

  /** Adds the call to the history that ran, if it is not what the model wrote. */
  #complete({ original, call, changed = call }: PipelineCall, answered: AnsweredCall): AnsweredCall {
    return changed === original ? answered : { changed, ...answered };
  }

  #failUnavailable({ batch, call }: PipelineCall, error: unknown): AnsweredCall {
    return this.#fail(batch, call, `The tool '${call.name}' cannot be called now.`, 'unavailable', error);
  }

  #failUnknown(batch: ToolCallBatch, call: ToolCall): AnsweredCall {
    const offered = offeredToolDefinitions(batch.prompt.options)
      .map(({ name }) => name)
      .filter((name) => name !== call.name);
    return this.#fail(batch, call, unknownToolText(call.name ?? '', offered), 'unknown_tool');
  }

  /** Logs and answers a call that failed or did not run. */
  #fail(
    batch: ToolCallBatch,
    call: ToolCall,
    text: string,
    outcome: ToolCallOutcome,
    error?: unknown,
    isUntrusted = false,
  ): AnsweredCall {
    const redactor = batch.turn.scope.services?.get(REDACTOR);
    this.#log.failed(call, outcome, error, batch.approved?.callApprovals.get(call.id), redactor);
    const failed = failedCall(call, this.limit.cut(text, call, batch, isUntrusted), outcome, error);
    return isUntrusted ? asUntrustedAnswer(failed) : failed;
  }
}

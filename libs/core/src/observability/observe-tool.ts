import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { ChatOptions } from '../model/chat-options.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { OTHER } from '../model/error-type.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { ObservedToolCall } from './observation-convention.js';
import type { Failure, ObservedSpan, SpanListener } from './observed-span.js';
import type { RequestObservation } from './request-observation.js';
import { outcomeOf, type TerseEnd, type ToolCallOutcome } from '../model/tool-call-outcome.js';

const NO_FAILURE: ReadonlySet<ToolCallOutcome> = new Set([
  'ok',
  'pending_approval',
  'input_required',
  'deferred',
  'denied',
]);

/** Observes a tool call, including guards, interceptors and policies. */
export class CalledTool implements SpanListener<TerseEnd> {
  constructor(
    private readonly observation: RequestObservation,
    private readonly observed: ObservedToolCall,
    private readonly options: ChatOptions | undefined,
  ) {}

  begin(): ObservedSpan {
    return this.observation.begin(SpanKind.INTERNAL, (convention) => convention.toolSpan(this.observed));
  }

  ended(span: ObservedSpan, end: TerseEnd): void {
    const outcome = outcomeOf(end);
    const failure = NO_FAILURE.has(outcome) ? undefined : this.#failureOf(end, outcome);
    this.#measure(span, outcome, failure && { [GEN_AI.errorType]: failure.errorType }, end.toolDefinition);
    span.setOne(NESTOR.toolCallOutcome, outcome);
    if (end.approval)
      span.setOne(NESTOR.toolCallApproval, end.approval.modelArguments === undefined ? 'unchanged' : 'changed');
    if (end.toolDefinition && !this.observed.toolDefinition) this.#identify(span, end.toolDefinition);
    this.#show(span, end);
    if (failure) span.fail(failure);
  }

  failed(span: ObservedSpan, error: unknown): void {
    const outcome = this.observation.isAborted(error, this.options) ? 'aborted' : 'error';
    this.#measure(span, outcome, this.observation.fail(span, error, this.options));
    span.setOne(NESTOR.toolCallOutcome, outcome);
    this.#show(span, {});
  }

  abandoned(span: ObservedSpan): void {
    this.#measure(span, 'aborted', this.observation.abort(span));
    span.setOne(NESTOR.toolCallOutcome, 'aborted');
  }

  /** The class of the thrown error, or the reason why the tool did not run. */
  #failureOf({ error, response }: TerseEnd, outcome: ToolCallOutcome): Failure {
    const { errorType, stack } = this.observation.failureOf(error);
    const told = response?.responseData;
    return {
      errorType: error === undefined ? outcome : errorType,
      ...(this.observation.options.includeContent &&
        told !== undefined && { message: this.observation.write(told, 'error', this.observed.toolCall.name), stack }),
    };
  }

  /** Adds the attributes of a tool that was found later. */
  #identify(span: ObservedSpan, toolDefinition: ToolDefinition): void {
    const { toolCall } = this.observed;
    const found = this.observation.ask((convention) => convention.toolSpan({ toolCall, toolDefinition }));
    if (!found) return;
    span.rename(found.name);
    span.set(found.attributes);
  }

  #show(span: ObservedSpan, { response, changed = this.observed.toolCall, approval }: TerseEnd): void {
    const { write, options } = this.observation;
    if (!options.includeContent || !span.isRecording) return;
    span.set({
      // Empty arguments mean an empty object.
      [GEN_AI.toolCallArguments]: write(changed.arguments || '{}', 'arguments', changed.name),
      ...(approval?.approver !== undefined && { [NESTOR.toolCallApprover]: approval.approver }),
      ...(approval?.modelArguments !== undefined && {
        [NESTOR.toolCallModelArguments]: write(approval.modelArguments, 'arguments', changed.name),
      }),
      ...(response && {
        [GEN_AI.toolCallResult]: write(response.responseData, response.isError ? 'error' : 'result', changed.name),
      }),
    });
  }

  #measure(
    span: ObservedSpan,
    outcome: ToolCallOutcome,
    failure: Attributes = {},
    toolDefinition = this.observed.toolDefinition,
  ): void {
    const { instruments } = this.observation;
    if (!instruments) return;
    const attributes = {
      // A name that the model made up would create its own time series.
      [GEN_AI.toolName]: toolDefinition?.name ?? OTHER,
      [NESTOR.toolCallOutcome]: outcome,
      ...failure,
    };
    instruments.toolCalls.add(1, attributes);
    instruments.toolCallDuration.record(span.seconds, attributes);
  }
}

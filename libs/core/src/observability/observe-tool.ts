import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { ChatOptions } from '../model/chat-options.js';
import { nameOrOther, OTHER } from './error-type.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { ObservedToolCall } from './observation-convention.js';
import { observeCall, type ObservedSpan, type SpanListener } from './observed-span.js';
import { isAborted, type RequestObservation } from './request-observation.js';
import { outcomeOf, type ToolCallEnd, type ToolCallOutcome } from './tool-call-outcome.js';

/** Outcomes that are no failure of anybody. */
const NO_FAILURE: ReadonlySet<ToolCallOutcome> = new Set(['ok', 'pending_approval', 'denied']);

/** Observes a tool call, with everything that stands around the tool. */
export function observeToolCall<T extends ToolCallEnd>(
  observation: RequestObservation,
  observed: ObservedToolCall,
  options: ChatOptions | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const span = observation.begin(SpanKind.INTERNAL, (convention) => convention.toolSpan(observed));
  return observeCall(span, run, new CalledTool(observation, observed, options));
}

class CalledTool implements SpanListener<ToolCallEnd> {
  constructor(
    private readonly observation: RequestObservation,
    private readonly observed: ObservedToolCall,
    private readonly options: ChatOptions | undefined,
  ) {}

  ended(span: ObservedSpan, end: ToolCallEnd): void {
    const outcome = outcomeOf(end);
    const { observation } = this;
    const { includeContent } = observation.options;
    span.setOne(NESTOR.toolCallOutcome, outcome);
    if (includeContent) this.#show(span, end);
    if (NO_FAILURE.has(outcome)) return this.#measure(span, outcome);
    // Of what was thrown, its class; of what was not run, why.
    const { errorType, stack } = observation.failureOf(end.error);
    const shown = end.error === undefined ? outcome : errorType;
    const told = end.response?.responseData;
    span.fail({
      errorType: shown,
      ...(includeContent && told !== undefined && { message: observation.write(told, 'error'), stack }),
    });
    this.#measure(span, outcome, { [GEN_AI.errorType]: shown });
  }

  failed(span: ObservedSpan, error: unknown): void {
    const { includeContent } = this.observation.options;
    if (includeContent) this.#show(span, {});
    const outcome = isAborted(error, this.options) ? 'aborted' : 'error';
    span.setOne(NESTOR.toolCallOutcome, outcome);
    this.#measure(span, outcome, this.observation.fail(span, error, this.options));
  }

  #show(span: ObservedSpan, { response, changed = this.observed.toolCall }: ToolCallEnd): void {
    const { write } = this.observation;
    span.set({
      // No arguments at all are none.
      [GEN_AI.toolCallArguments]: write(changed.arguments || '{}', 'arguments'),
      ...(response && { [GEN_AI.toolCallResult]: write(response.responseData, 'result') }),
    });
  }

  #measure(span: ObservedSpan, outcome: ToolCallOutcome, failure: Attributes = {}): void {
    const { instruments } = this.observation;
    if (!instruments) return;
    const { toolCall, toolDefinition } = this.observed;
    const isKnown = toolDefinition !== undefined || outcome === 'ok';
    const attributes = {
      // A name that a model has made up would be a series of its own.
      [GEN_AI.toolName]: isKnown ? (toolDefinition?.name ?? nameOrOther(toolCall.name)) : OTHER,
      [NESTOR.toolCallOutcome]: outcome,
      ...failure,
    };
    instruments.toolCalls.add(1, attributes);
    instruments.toolCallDuration.record(span.seconds, attributes);
  }
}

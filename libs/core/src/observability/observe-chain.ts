import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { ChatOptions } from '../model/chat-options.js';
import type { ChatResponse } from '../model/chat-response.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import { finishReasonsOf, type ObservedAdvisor, type ObservedRequest } from './observation-convention.js';
import type { ObservedSpan, SpanListener } from './observed-span.js';
import type { RequestObservation } from './request-observation.js';

/** Observes the calls and streams of an advisor. */
export class AdvisorListener implements SpanListener<unknown> {
  /** @param isOutside whether the advisor is outside the tool loop */
  constructor(
    private readonly observation: RequestObservation,
    private readonly advisor: ObservedAdvisor,
    private readonly options: ChatOptions | undefined,
    private readonly isOutside: boolean,
  ) {}

  begin(): ObservedSpan {
    const { observation, advisor } = this;
    const span = observation.begin(SpanKind.INTERNAL, (convention) => convention.advisorSpan(advisor), false);
    observation.innermost = span.context;
    return span;
  }

  ended(span: ObservedSpan, _result: unknown): void {
    this.observation.innermost = span.parent;
  }

  failed(span: ObservedSpan, error: unknown): void {
    this.observation.innermost = span.parent;
    this.observation.fail(span, error, this.options, this.isOutside);
  }

  abandoned(span: ObservedSpan): void {
    this.observation.innermost = span.parent;
    span.abort();
  }
}

export class RequestListener implements SpanListener<unknown> {
  constructor(
    private readonly observation: RequestObservation,
    private readonly observed: ObservedRequest,
    private readonly options: ChatOptions | undefined,
  ) {}

  begin(): ObservedSpan {
    const { observation, observed } = this;
    const span = observation.begin(SpanKind.INTERNAL, (convention) => convention.requestSpan(observed));
    observation.request = { observed, span };
    observation.innermost = span.context;
    return span;
  }

  ended(span: ObservedSpan, result: unknown): void {
    this.#measure(span, {});
    // Chunks are not inspected. The loop reports the result of a streamed turn.
    const { chatResponse } = (result ?? {}) as { readonly chatResponse?: ChatResponse };
    const reasons = finishReasonsOf(chatResponse);
    if (reasons) span.setOne(GEN_AI.finishReasons, reasons);
  }

  failed(span: ObservedSpan, error: unknown): void {
    this.#measure(span, this.observation.fail(span, error, this.options, true));
    if (this.observation.isAborted(error, this.options, true)) this.observation.closeAll();
  }

  abandoned(span: ObservedSpan): void {
    this.#measure(span, this.observation.abort(span));
    this.observation.closeAll();
  }

  #measure(span: ObservedSpan, failure: Attributes): void {
    const { clientName, isStream } = this.observed;
    this.observation.instruments?.requestDuration.record(span.seconds, {
      ...(clientName !== undefined && { [GEN_AI.agentName]: clientName }),
      [NESTOR.isStream]: isStream,
      ...failure,
    });
  }
}

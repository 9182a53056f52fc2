import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { Observable } from 'rxjs';
import type { ChatOptions } from '../model/chat-options.js';
import type { ChatResponse } from '../model/chat-response.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import { finishReasonsOf, type ObservedAdvisor, type ObservedRequest } from './observation-convention.js';
import { observeStream, type StreamListener } from './observe-stream.js';
import { observeCall, type ObservedSpan, type SpanListener } from './observed-span.js';
import type { RequestObservation } from './request-observation.js';

/** Observes a client's request that is answered in one piece. */
export function observeRequest<T>(
  observation: RequestObservation,
  observed: ObservedRequest,
  options: ChatOptions | undefined,
  run: () => Promise<T>,
): Promise<T> {
  return observeCall(new RequestListener(observation, observed, options), run);
}

/** Like {@link observeRequest}, for streams. */
export function observeRequestStream<T>(
  observation: RequestObservation,
  observed: ObservedRequest,
  options: ChatOptions | undefined,
  stream: Observable<T>,
): Observable<T> {
  return observeStream(stream, () => new RequestListener(observation, observed, options));
}

/**
 * Observes an advisor call that is answered in one piece.
 *
 * @param isOutside whether the advisor is outside the tool loop
 */
export function observeAdvisor<T>(
  observation: RequestObservation,
  advisor: ObservedAdvisor,
  options: ChatOptions | undefined,
  isOutside: boolean,
  run: () => Promise<T>,
): Promise<T> {
  return observeCall(new AdvisorListener(observation, advisor, options, isOutside), run);
}

/** Like {@link observeAdvisor}, for streams. */
export function observeAdvisorStream<T>(
  observation: RequestObservation,
  advisor: ObservedAdvisor,
  options: ChatOptions | undefined,
  isOutside: boolean,
  stream: Observable<T>,
): Observable<T> {
  return observeStream(stream, () => new AdvisorListener(observation, advisor, options, isOutside));
}

class AdvisorListener<T> implements SpanListener<T>, StreamListener {
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

  ended(span: ObservedSpan, _result: T | void): void {
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

class RequestListener<T> implements SpanListener<T>, StreamListener {
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

  ended(span: ObservedSpan, result: T | void): void {
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

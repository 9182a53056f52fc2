import { type Attributes, type Context, context, type SpanKind, trace, type Tracer } from '@opentelemetry/api';
import type { ChatOptions } from '../model/chat-options.js';
import { messageOf } from '@nestor-ai/schema';
import { callerSignalOf, scopeOf } from '../model/scoped-options.js';
import type { Turn } from '../model/turn.js';
import type { TurnOutcome } from '../model/turn-ending.js';
import { type ContentWriter, createContentWriter } from './content.js';
import { errorTypeOf, framesOf } from '../model/error-type.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { Instruments } from './instruments.js';
import type { ObservabilityOptions } from './observability-options.js';
import {
  finishReasonsOf,
  ObservationConvention,
  type ObservedRequest,
  type SpanDescription,
} from './observation-convention.js';
import { type Failure, ObservedSpan } from './observed-span.js';
import { safely } from './safely.js';
import { serviceKey } from '../model/request-services.js';

/**
 * Observes a request, from the client to its tools. Only exists if a telemetry SDK is registered.
 */
export class RequestObservation {
  readonly write: ContentWriter;
  /** Set when the span of the request starts. */
  request: { readonly observed: ObservedRequest; readonly span: ObservedSpan } | undefined;
  /**
   * The parent of spans that would otherwise have none, because the application may have no
   * context manager.
   */
  innermost: Context | undefined;
  /** The turn of the request that started last. */
  turn: Turn | undefined;
  #rounds = 0;
  readonly #open = new Set<ObservedSpan>();

  constructor(
    private readonly tracer: Tracer,
    readonly instruments: Instruments | undefined,
    readonly options: ObservabilityOptions,
  ) {
    this.write = createContentWriter(options.redactor);
  }

  /** Starts a span inside the active one. */
  begin(
    kind: SpanKind,
    describe: (convention: ObservationConvention) => SpanDescription,
    isTimed = this.instruments !== undefined,
  ): ObservedSpan {
    const active = context.active();
    // Keeps the application's other values in the context.
    const parent =
      this.innermost && !trace.getSpan(active) ? trace.setSpan(active, trace.getSpan(this.innermost)!) : active;
    const described = this.ask((convention) => checked(describe(convention)));
    return new ObservedSpan(this.tracer, described ?? NAMELESS, { kind, parent, isTimed, open: this.#open });
  }

  /** Calls the convention. If it fails, returns undefined, so that the request continues. */
  ask<T>(question: (convention: ObservationConvention) => T): T | undefined {
    const { convention = DEFAULT_CONVENTION } = this.options;
    return safely(() => question(convention), convention);
  }

  /**
   * Marks a span as failed, or as aborted by the caller.
   *
   * @param isOutside whether the span is outside the tool loop
   * @returns the attributes for metrics
   */
  fail(span: ObservedSpan, error: unknown, options?: ChatOptions, isOutside = false): Attributes {
    const failure = this.failureOf(error);
    if (this.isAborted(error, options, isOutside)) return this.abort(span, failure.errorType);
    span.fail(failure);
    return { [GEN_AI.errorType]: failure.errorType };
  }

  /** Marks a span as aborted by the caller, which is not a failure. */
  abort(span: ObservedSpan, errorType?: string): Attributes {
    span.abort(errorType);
    return { [NESTOR.isAborted]: true };
  }

  /** Whether the caller has aborted. A model may throw a similar error for other reasons. */
  isAborted(error: unknown, options: ChatOptions | undefined, isOutside = false): boolean {
    const turn = isOutside ? undefined : scopeOf(options)?.turn;
    if (turn) return turn.isAborted;
    if (callerSignalOf(options)?.aborted) return true;
    // Outside the loop, an advisor may continue after its turn was aborted.
    return this.turn?.isAborted === true && this.turn.signal.reason === error;
  }

  /** The parts of an error that may be recorded. */
  failureOf(error: unknown): Failure {
    const errorType = errorTypeOf(error);
    if (!this.options.includeContent) return { errorType };
    const message = messageOf(error) || undefined;
    return {
      errorType,
      ...(message !== undefined && { message: this.write(message, 'error'), stack: framesOf(error) }),
    };
  }

  /** Records the end of a turn. Calls without a loop, and those from outside, ask no model, so they have no rounds. */
  turnEnded({ status, rounds, response }: Extract<TurnOutcome, { rounds: number }>): void {
    safely(() => {
      const { request } = this;
      if (!request || rounds === 0) return;
      this.instruments?.turnRounds.record(rounds, { [NESTOR.turnStatus]: status });
      this.#rounds += rounds;
      request.span.setOne(NESTOR.turnRounds, this.#rounds);
      // Without streaming, the request's span gets them from the final answer, which advisors may
      // have changed.
      const reasons = request.observed.isStream ? finishReasonsOf(response) : undefined;
      if (reasons) request.span.setOne(GEN_AI.finishReasons, reasons);
    });
  }

  /** Ends all open spans after the caller has left. */
  closeAll(): void {
    for (const span of [...this.#open].toReversed()) span.end(() => span.giveUp?.());
  }
}

const DEFAULT_CONVENTION = new ObservationConvention();

const NAMELESS: SpanDescription = { name: 'unnamed', attributes: {} };

/** Validates the result of a custom convention. */
function checked(description: SpanDescription): SpanDescription {
  if (typeof description.name !== 'string' || typeof description.attributes !== 'object') {
    throw new TypeError('A span needs a name and attributes.');
  }
  return description;
}

/** Undefined if no telemetry SDK is registered. */
export const OBSERVATION = serviceKey<RequestObservation>('observation');

/** The observation of the request with these options. */
export function observationOf(options: ChatOptions | undefined): RequestObservation | undefined {
  return scopeOf(options)?.get(OBSERVATION);
}

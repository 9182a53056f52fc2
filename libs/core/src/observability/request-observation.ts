import { Logger } from '@nestjs/common';
import { type Attributes, type Context, context, type SpanKind, trace, type Tracer } from '@opentelemetry/api';
import { type ChatOptions, OBSERVATION } from '../model/chat-options.js';
import type { ChatResponse } from '../model/chat-response.js';
import { TURN_CONTEXT } from '../model/turn-context.js';
import { type ContentWriter, createContentWriter } from './content.js';
import { errorTypeOf, framesOf } from './error-type.js';
import { finishReasonsOf } from './finish-reasons.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { Instruments } from './instruments.js';
import type { ObservabilityOptions } from './observability-options.js';
import type { ObservationConvention, ObservedRequest, SpanDescription } from './observation-convention.js';
import { type Failure, ObservedSpan } from './observed-span.js';

/** What observes a request, from the client to its tools. There is none where no telemetry SDK is registered. */
export class RequestObservation {
  readonly write: ContentWriter;
  /** Set by the request that it observes. */
  request: { readonly observed: ObservedRequest; readonly span: ObservedSpan } | undefined;
  /** Where spans begin that would have no parent: an application may have no context manager. */
  innermost: Context | undefined;
  #rounds = 0;

  constructor(
    private readonly tracer: Tracer,
    readonly instruments: Instruments | undefined,
    readonly options: Required<ObservabilityOptions>,
  ) {
    const { convention, maxContentLength } = options;
    this.write = createContentWriter((text, kind) => convention.redact(text, kind), maxContentLength);
  }

  /** Begins a span inside of the one that is active. */
  begin(
    kind: SpanKind,
    describe: (convention: ObservationConvention) => SpanDescription,
    isTimed = this.instruments !== undefined,
  ): ObservedSpan {
    const active = context.active();
    const parent = this.innermost && !trace.getSpan(active) ? this.innermost : active;
    return new ObservedSpan(this.tracer, this.ask(describe, NAMELESS), kind, parent, isTimed);
  }

  /** What the convention says. One that fails says nothing, and fails no request. */
  ask<T>(question: (convention: ObservationConvention) => T, otherwise: T): T {
    try {
      return question(this.options.convention);
    } catch (error) {
      tellOnce(this.options.convention, error);
      return otherwise;
    }
  }

  /** Marks a span as failed, or as given up by the caller. */
  fail(span: ObservedSpan, error: unknown, options?: ChatOptions): Attributes {
    const failure = this.failureOf(error);
    if (isAborted(error, options)) span.abort(failure.errorType);
    else span.fail(failure);
    return { [GEN_AI.errorType]: failure.errorType };
  }

  /** What may be shown of an error. */
  failureOf(error: unknown): Failure {
    const errorType = errorTypeOf(error);
    if (!this.options.includeContent) return { errorType };
    const message = (error as Partial<Error> | undefined)?.message;
    const shown = typeof message === 'string' ? this.write(message, 'error') : undefined;
    return { errorType, message: shown, stack: framesOf(error) };
  }

  /** A turn of the request has ended. */
  turnEnded(status: 'completed' | 'suspended', rounds: number, response: ChatResponse | undefined): void {
    this.instruments?.turnRounds.record(rounds, { 'nestor.turn.status': status });
    this.#rounds += rounds;
    const { request } = this;
    if (!request) return;
    request.span.setOne(NESTOR.turnRounds, this.#rounds);
    // The answer in one piece tells it itself, with what advisors have made of it.
    const reasons = request.observed.isStream ? finishReasonsOf(response) : undefined;
    if (reasons) request.span.setOne(GEN_AI.finishReasons, reasons);
  }
}

const logger = new Logger('Observability');
const failed = new WeakSet<ObservationConvention>();

/** One that fails for each span would fill the log. */
function tellOnce(convention: ObservationConvention, error: unknown): void {
  if (failed.has(convention)) return;
  failed.add(convention);
  logger.error(
    `${convention.constructor.name} has failed, so something is missing from the telemetry: ${errorTypeOf(error)}. It is told once.`,
    framesOf(error),
  );
}

const NAMELESS: SpanDescription = { name: 'unnamed', attributes: {} };

/** Whether something has ended since its caller has gone. */
export function isAborted(error: unknown, options: ChatOptions | undefined): boolean {
  const turn = options?.[TURN_CONTEXT];
  if (turn ? turn.isAborted : options?.signal?.aborted) return true;
  return (error as { name?: unknown } | undefined)?.name === 'AbortError';
}

/** What observes the request with these options. */
export function observationOf(options: ChatOptions | undefined): RequestObservation | undefined {
  return options?.[OBSERVATION] as RequestObservation | undefined;
}

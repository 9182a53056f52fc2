import { Logger } from '@nestjs/common';
import {
  type Attributes,
  type AttributeValue,
  type Context,
  context,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { framesOf } from './error-type.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { SpanDescription } from './observation-convention.js';

/** How something ended, as far as its span is concerned. */
export interface Failure {
  readonly errorType: string;
  /** Shown only where contents may be. */
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

/** A span that runs: what begins inside of it becomes its child. Ended once. */
export class ObservedSpan {
  readonly span: Span;
  readonly context: Context;
  readonly #begunAt: number;

  /** @param isTimed whether anybody will ask how long it takes: the clock is read for them only */
  constructor(
    tracer: Tracer,
    { name, attributes }: SpanDescription,
    kind: SpanKind,
    readonly parent: Context,
    isTimed: boolean,
  ) {
    this.#begunAt = isTimed ? performance.now() : Number.NaN;
    this.span = tracer.startSpan(name, { kind, attributes }, parent);
    this.context = trace.setSpan(parent, this.span);
  }

  /** How long it has been running, in seconds. */
  get seconds(): number {
    return (performance.now() - this.#begunAt) / 1000;
  }

  /** Runs something inside of the span. */
  enter<T>(run: () => T): T {
    return context.with(this.context, run);
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  setOne(name: string, value: AttributeValue): void {
    this.span.setAttribute(name, value);
  }

  /** Marks the span as failed. It still has to be ended. */
  fail({ errorType, message, stack }: Failure): void {
    const { span } = this;
    span.setAttribute(GEN_AI.errorType, errorType);
    span.setStatus(message ? { code: SpanStatusCode.ERROR, message } : { code: SpanStatusCode.ERROR });
    if (message !== undefined)
      span.recordException({ name: errorType, message, ...(stack !== undefined && { stack }) });
  }

  /** Marks the span as given up by the caller, which is no failure. */
  abort(errorType?: string): void {
    this.span.setAttribute(NESTOR.isAborted, true);
    if (errorType !== undefined) this.span.setAttribute(GEN_AI.errorType, errorType);
  }

  end(): void {
    this.span.end();
  }
}

/** Told how something ended that runs inside of a span. What it throws is logged and disturbs nobody. */
export interface SpanListener<T> {
  ended(span: ObservedSpan, result: T): void;
  failed(span: ObservedSpan, error: unknown): void;
}

/** Runs something inside of a span, and ends the span with it. */
export function observeCall<T>(span: ObservedSpan, run: () => Promise<T>, told: SpanListener<NoInfer<T>>): Promise<T> {
  let running: Promise<T>;
  try {
    running = span.enter(run);
  } catch (error) {
    running = Promise.reject(error);
  }
  return running.then(
    (result) => {
      quietly(() => told.ended(span, result));
      span.end();
      return result;
    },
    (error: unknown) => {
      quietly(() => told.failed(span, error));
      span.end();
      throw error;
    },
  );
}

const logger = new Logger('Observability');

/** Tells somebody whose mistakes must not disturb a request. */
export function quietly(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    logger.error('Something is missing from the telemetry, since it could not be told.', framesOf(error));
  }
}

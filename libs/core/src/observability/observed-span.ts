import {
  type Attributes,
  type AttributeValue,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { SpanDescription } from './observation-convention.js';
import { safely } from './safely.js';

/** How something ended, as far as its span is concerned. */
export interface Failure {
  readonly errorType: string;
  /** Shown only where contents may be. */
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

/** Where a span begins. */
interface SpanOrigin {
  readonly kind: SpanKind;
  readonly parent: Context;
  /** Whether anybody will ask how long it takes: the clock is read for them only. */
  readonly isTimed: boolean;
  /** The spans of the request that have not ended. */
  readonly open: Set<ObservedSpan>;
}

/** A span that runs: what begins inside of it becomes its child. Nothing that the SDK does wrong reaches a request. */
export class ObservedSpan {
  readonly span: Span;
  readonly context: Context;
  readonly #begunAt: number;
  #isOver = false;

  readonly parent: Context;
  /** Says what is to be said when nobody waits any more. */
  giveUp: (() => void) | undefined;
  readonly #open: Set<ObservedSpan>;

  constructor(tracer: Tracer, { name, attributes }: SpanDescription, { kind, parent, isTimed, open }: SpanOrigin) {
    this.parent = parent;
    this.#open = open.add(this);
    this.#begunAt = isTimed ? performance.now() : Number.NaN;
    this.span = safely(() => tracer.startSpan(name, { kind, attributes }, parent)) ?? SILENT;
    this.context = trace.setSpan(parent, this.span);
  }

  /** Whether anybody will see what is said of it. */
  get isRecording(): boolean {
    return safely(() => this.span.isRecording()) ?? false;
  }

  /** How long it has been running, in seconds. */
  get seconds(): number {
    return (performance.now() - this.#begunAt) / 1000;
  }

  /** Runs something inside of the span. */
  enter<T>(run: () => T): T {
    return context.with(this.context, run);
  }

  rename(name: string): void {
    this.span.updateName(name);
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

  /**
   * Ends the span, if that was not done before.
   *
   * @param tell says what is to be said of it; what it throws disturbs nobody
   */
  end(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#open.delete(this);
    safely(tell);
    safely(() => this.span.end());
  }
}

/** Stands for a span that the SDK has failed to begin. */
const SILENT = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Begins the span of something, and is told how that ended. What it throws then is logged and disturbs nobody. */
export interface SpanListener<T> {
  begin(): ObservedSpan;
  ended(span: ObservedSpan, result: T): void;
  failed(span: ObservedSpan, error: unknown): void;
  /** Nobody waits any more. */
  abandoned(span: ObservedSpan): void;
}

/** Runs something inside of a span, and ends the span with it. */
export function observeCall<T>(told: SpanListener<NoInfer<T>>, run: () => Promise<T>): Promise<T> {
  const span = told.begin();
  span.giveUp = () => told.abandoned(span);
  let running: Promise<T>;
  try {
    // A model or an advisor in JavaScript may forget to be asynchronous.
    running = Promise.resolve(span.enter(run));
  } catch (error) {
    running = Promise.reject(error);
  }
  return running.then(
    (result) => {
      span.end(() => told.ended(span, result));
      return result;
    },
    (error: unknown) => {
      span.end(() => told.failed(span, error));
      throw error;
    },
  );
}

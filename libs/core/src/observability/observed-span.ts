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
import { Observable, type Subscriber } from 'rxjs';
import { GEN_AI, NESTOR } from './gen-ai.js';
import type { SpanDescription } from './observation-convention.js';
import { safely } from './safely.js';

/** The failure that a span records. */
export interface Failure {
  readonly errorType: string;
  /** Only shown if content may be shown. */
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

/** The kind and place of a span. */
interface SpanOrigin {
  readonly kind: SpanKind;
  readonly parent: Context;
  /** Whether the duration is needed. Otherwise the clock is not read. */
  readonly isTimed: boolean;
  /** The spans of the request that have not ended. */
  readonly open: Set<ObservedSpan>;
}

/**
 * An active span. Spans that start inside become its children. Errors of the SDK never reach a
 * request.
 */
export class ObservedSpan {
  readonly span: Span;
  readonly context: Context;
  readonly #begunAt: number;
  #isOver = false;

  readonly parent: Context;
  /** Records that the caller no longer waits. */
  giveUp: (() => void) | undefined;
  readonly #open: Set<ObservedSpan>;

  constructor(tracer: Tracer, { name, attributes }: SpanDescription, { kind, parent, isTimed, open }: SpanOrigin) {
    this.parent = parent;
    this.#open = open.add(this);
    this.#begunAt = isTimed ? performance.now() : Number.NaN;
    this.span = safely(() => tracer.startSpan(name, { kind, attributes }, parent)) ?? SILENT;
    this.context = trace.setSpan(parent, this.span);
  }

  /** Whether the SDK records this span. */
  get isRecording(): boolean {
    return safely(() => this.span.isRecording()) ?? false;
  }

  /** The duration so far, in seconds. */
  get seconds(): number {
    return (performance.now() - this.#begunAt) / 1000;
  }

  /** Runs a function inside the span. */
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

  /** Marks the span as failed, without ending it. */
  fail({ errorType, message, stack }: Failure): void {
    const { span } = this;
    span.setAttribute(GEN_AI.errorType, errorType);
    span.setStatus(message ? { code: SpanStatusCode.ERROR, message } : { code: SpanStatusCode.ERROR });
    if (message !== undefined)
      span.recordException({ name: errorType, message, ...(stack !== undefined && { stack }) });
  }

  /** Marks the span as aborted by the caller, which is not a failure. */
  abort(errorType?: string): void {
    this.span.setAttribute(NESTOR.isAborted, true);
    if (errorType !== undefined) this.span.setAttribute(GEN_AI.errorType, errorType);
  }

  /**
   * Ends the span, unless it has already ended.
   *
   * @param tell records the final attributes; its errors are logged
   */
  end(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#open.delete(this);
    safely(tell);
    safely(() => this.span.end());
  }
}

/** Replaces a span that the SDK failed to start. */
const SILENT = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Starts a span and receives the outcome. Its errors are logged and do not affect the request. */
export interface SpanListener<T> {
  begin(): ObservedSpan;
  ended(span: ObservedSpan, result: T): void;
  failed(span: ObservedSpan, error: unknown): void;
  /** The caller no longer waits. */
  abandoned(span: ObservedSpan): void;
}

/** Runs a function inside a span that ends with it. */
export function observeCall<T>(listener: SpanListener<NoInfer<T>>, run: () => Promise<T>): Promise<T> {
  const span = listener.begin();
  span.giveUp = () => listener.abandoned(span);
  let running: Promise<T>;
  try {
    // A model or advisor written in JavaScript may return a plain value instead of a promise.
    running = Promise.resolve(span.enter(run));
  } catch (error) {
    running = Promise.reject(error);
  }
  return running.then(
    (result) => {
      span.end(() => listener.ended(span, result));
      return result;
    },
    (error: unknown) => {
      span.end(() => listener.failed(span, error));
      throw error;
    },
  );
}

/**
 * Subscribes to a stream inside a span that ends with the stream. Each subscription has its own
 * span.
 */
export function observeStream<T>(stream: Observable<T>, listener: SpanListener<void>): Observable<T> {
  return new Observable((subscriber) => subscribeInside(stream, listener.begin(), listener, subscriber));
}

/**
 * Subscribes to a stream inside a span, and ends the span with the stream. It passes the
 * subscriber itself to the source: another one in between would be called for every chunk, which
 * costs more than all spans of a turn.
 */
export function subscribeInside<T>(
  stream: Observable<T>,
  span: ObservedSpan,
  listener: SpanListener<void>,
  subscriber: Subscriber<T>,
): void {
  const error = subscriber.error.bind(subscriber);
  const complete = subscriber.complete.bind(subscriber);
  span.giveUp = () => listener.abandoned(span);
  // The subscriber continues in its own context, outside the span.
  subscriber.error = (reason) => {
    span.end(() => listener.failed(span, reason));
    context.with(span.parent, () => error(reason));
  };
  subscriber.complete = () => {
    span.end(() => listener.ended(span));
    context.with(span.parent, complete);
  };
  span.enter(() => stream.subscribe(subscriber));
  // Added last, so that inner subscriptions are torn down first.
  subscriber.add(() => span.end(() => listener.abandoned(span)));
}

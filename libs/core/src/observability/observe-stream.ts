import { context } from '@opentelemetry/api';
import { Observable, Subscriber } from 'rxjs';
import { type ObservedSpan, quietly, type SpanListener } from './observed-span.js';

/** As {@link SpanListener}, of a stream. */
export interface StreamListener extends SpanListener<void> {
  /** Whoever listened has gone. */
  abandoned(span: ObservedSpan): void;
}

/** As {@link StreamListener}; it also hears what comes, and says what is passed on. */
export interface ChunkListener<T, R> extends StreamListener {
  next(span: ObservedSpan, item: T): R;
}

/** Subscribes something inside of a span, and ends the span with it. Each subscription has its own span. */
export function observeStream<T>(
  begin: () => ObservedSpan,
  source: () => Observable<T>,
  createListener: () => StreamListener,
): Observable<T> {
  return new Observable((subscriber) => {
    const span = begin();
    followEnd(subscriber, span, createListener());
    subscribeInside(span, source, subscriber);
  });
}

/** As {@link observeStream}, with a listener that hears every chunk. */
export function observeChunks<T, R>(
  begin: () => ObservedSpan,
  source: () => Observable<T>,
  createListener: () => ChunkListener<T, R>,
): Observable<R> {
  return new Observable<R>((subscriber) => {
    const span = begin();
    const listener = createListener();
    followEnd(subscriber, span, listener);
    subscribeInside(span, source, new ChunkSubscriber(subscriber, span, listener));
  });
}

function subscribeInside<T>(span: ObservedSpan, source: () => Observable<T>, subscriber: Subscriber<T>): void {
  span.enter(() => {
    try {
      source().subscribe(subscriber);
    } catch (error) {
      subscriber.error(error);
    }
  });
}

/**
 * Ends a span with what a subscriber is told. The subscriber itself is handed on to the source: another one between them would be called
 * for every chunk, which costs more than all spans of a turn.
 */
function followEnd<T>(subscriber: Subscriber<T>, span: ObservedSpan, listener: StreamListener): void {
  const error = subscriber.error.bind(subscriber);
  const complete = subscriber.complete.bind(subscriber);
  let isOver = false;
  const end = (tell: () => void): void => {
    if (isOver) return;
    isOver = true;
    quietly(tell);
    span.end();
  };
  // Whoever listens goes on where it was, outside of the span.
  subscriber.error = (reason) => {
    end(() => listener.failed(span, reason));
    context.with(span.parent, () => error(reason));
  };
  subscriber.complete = () => {
    end(() => listener.ended(span));
    context.with(span.parent, complete);
  };
  subscriber.add(() => end(() => listener.abandoned(span)));
}

/** Hears every chunk. A class, since closures around each chunk cost more. */
class ChunkSubscriber<T, R> extends Subscriber<T> {
  constructor(
    private readonly target: Subscriber<R>,
    private readonly span: ObservedSpan,
    private readonly listener: ChunkListener<T, R>,
  ) {
    super(target as Subscriber<unknown>);
  }

  /** Whether anybody is still there, the target asks itself. */
  override next(item: T): void {
    this.target.next(this.listener.next(this.span, item));
  }
}

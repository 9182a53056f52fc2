import { context } from '@opentelemetry/api';
import { Observable, type Subscriber } from 'rxjs';
import { ModelSubscriber } from './model-subscriber.js';
import type { ObservedSpan, SpanListener } from './observed-span.js';
import { logOnce } from './safely.js';

/** As {@link SpanListener}, of a stream: what it has come to, its chunks have told. */
export type StreamListener = SpanListener<void>;

/** As {@link StreamListener}; it also hears what comes. */
export interface ChunkListener<T> extends StreamListener {
  /** Who is to blame for a chunk that cannot be heard. */
  readonly source: object;
  next(span: ObservedSpan, item: T): void;
}

/** Subscribes a stream inside of a span, and ends the span with it. Each subscription has its own span. */
export function observeStream<T>(stream: Observable<T>, createListener: () => StreamListener): Observable<T> {
  return new Observable((subscriber) => {
    const listener = createListener();
    subscribeInside(stream, listener.begin(), listener, subscriber);
  });
}

/**
 * As {@link observeStream}, with a listener that hears every chunk.
 *
 * @param pack makes of each chunk what is passed on
 */
export function observeChunks<T, R>(
  stream: Observable<T>,
  createListener: () => ChunkListener<T>,
  pack: (item: T) => R,
): Observable<R> {
  return new Observable<R>((subscriber) => {
    const listener = createListener();
    const span = listener.begin();
    subscribeInside(stream, span, listener, new ObservedSubscriber(subscriber, span, listener, pack));
  });
}

/**
 * Subscribes a stream inside of a span, and ends the span with what the subscriber is told. The subscriber itself is handed on to the source:
 * another one between them would be called for every chunk, which costs more than all spans of a turn.
 */
function subscribeInside<T>(
  stream: Observable<T>,
  span: ObservedSpan,
  listener: StreamListener,
  subscriber: Subscriber<T>,
): void {
  const error = subscriber.error.bind(subscriber);
  const complete = subscriber.complete.bind(subscriber);
  span.giveUp = () => listener.abandoned(span);
  // Whoever listens goes on where it was, outside of the span.
  subscriber.error = (reason) => {
    span.end(() => listener.failed(span, reason));
    context.with(span.parent, () => error(reason));
  };
  subscriber.complete = () => {
    span.end(() => listener.ended(span));
    context.with(span.parent, complete);
  };
  span.enter(() => stream.subscribe(subscriber));
  // Last, so that what is inside is told first to go away.
  subscriber.add(() => span.end(() => listener.abandoned(span)));
}

/** Has a listener hear every chunk. */
class ObservedSubscriber<T, R> extends ModelSubscriber<T, R> {
  constructor(
    target: Subscriber<R>,
    private readonly span: ObservedSpan,
    private readonly listener: ChunkListener<T>,
    pack: (item: T) => R,
  ) {
    super(target, pack);
  }

  override next(item: T): void {
    try {
      this.listener.next(this.span, item);
    } catch (error) {
      // A model may give anything.
      logOnce(error, this.listener.source);
    }
    super.next(item);
  }
}

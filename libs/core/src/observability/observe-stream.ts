import { context } from '@opentelemetry/api';
import { Observable, type Subscriber } from 'rxjs';
import type { Prompt } from '../model/prompt.js';
import { ModelSubscriber, type StreamRecovery } from './model-subscriber.js';
import type { ObservedSpan, SpanListener } from './observed-span.js';
import { logOnce } from './safely.js';

/** Like {@link SpanListener}, for streams, which end without a result. It also receives the chunks. */
export interface ChunkListener<T> extends SpanListener<void> {
  /** The object to blame in the log if a chunk cannot be processed. */
  readonly source: object;
  next(span: ObservedSpan, item: T): void;
}

/**
 * Subscribes to a stream inside a span that ends with the stream. Each subscription has its own
 * span.
 */
export function observeStream<T>(stream: Observable<T>, listener: SpanListener<void>): Observable<T> {
  return new Observable((subscriber) => subscribeInside(stream, listener.begin(), listener, subscriber));
}

/**
 * Like {@link observeStream}, with a listener that receives every chunk.
 *
 * @param pack converts each chunk to the value that is passed on
 * @param prompt what the model was asked
 * @param recovery takes over if the stream fails before it has begun to answer
 */
export function observeChunks<T, R>(
  stream: Observable<T>,
  createListener: () => ChunkListener<T>,
  pack: (item: T) => R,
  prompt: Prompt,
  recovery?: StreamRecovery<T, R>,
): Observable<R> {
  return new Observable<R>((subscriber) => {
    const listener = createListener();
    const span = listener.begin();
    subscribeInside(stream, span, listener, new ObservedSubscriber(subscriber, span, listener, pack, prompt, recovery));
  });
}

/**
 * Subscribes to a stream inside a span, and ends the span with the stream. It passes the
 * subscriber itself to the source: another one in between would be called for every chunk, which
 * costs more than all spans of a turn.
 */
function subscribeInside<T>(
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

/** Passes every chunk to a listener. */
class ObservedSubscriber<T, R> extends ModelSubscriber<T, R> {
  constructor(
    target: Subscriber<R>,
    private readonly span: ObservedSpan,
    private readonly listener: ChunkListener<T>,
    pack: (item: T) => R,
    prompt: Prompt,
    recovery?: StreamRecovery<T, R>,
  ) {
    super(target, pack, prompt, recovery);
  }

  override next(item: T): void {
    try {
      this.listener.next(this.span, item);
    } catch (error) {
      // A model may emit any value.
      logOnce(error, this.listener.source);
    }
    super.next(item);
  }
}

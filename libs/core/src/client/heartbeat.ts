import { Observable } from 'rxjs';
import { MAX_TIMEOUT } from '../tool/check-timeout.js';

/** How long a stream for a browser may be silent by default, in milliseconds: proxies close connections that are silent for 30 to 60 seconds. */
const DEFAULT_INTERVAL = 15_000;

/** The option of what writes server-sent events. */
export interface HeartbeatOptions {
  /**
   * After how many milliseconds of silence a comment is sent, which clients ignore: while a model thinks or a tool runs, proxies take a silent
   * connection for a dead one. `false`: never. Default: 15000.
   */
  readonly heartbeat?: number | false;
}

/**
 * The same stream, with a beat after each time of silence. When it ends, or the subscriber leaves, nothing is left behind.
 *
 * @param makeBeat makes a new one each time; undefined for none
 * @throws RangeError unless the interval is a positive number of milliseconds, of at most 24 days
 */
export function withHeartbeat<T>(
  source: Observable<T>,
  { heartbeat = DEFAULT_INTERVAL }: HeartbeatOptions,
  makeBeat: () => T,
): Observable<T> {
  if (heartbeat === false) return source;
  if (!Number.isFinite(heartbeat) || heartbeat <= 0 || heartbeat > MAX_TIMEOUT) {
    throw new RangeError(`heartbeat must be a positive number of milliseconds or false, but is ${heartbeat}.`);
  }
  return new Observable((subscriber) => {
    const timer = setInterval(() => subscriber.next(makeBeat()), heartbeat);
    // The connection keeps the process alive, not its heart.
    timer.unref();
    subscriber.add(() => clearInterval(timer));
    return source.subscribe({
      next: (item) => {
        timer.refresh();
        subscriber.next(item);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });
}

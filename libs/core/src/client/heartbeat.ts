import { Observable, tap } from 'rxjs';
import { MAX_TIMEOUT } from '../tool/check-timeout.js';

/**
 * After how long a silent stream for a browser sends a heartbeat by default, in milliseconds.
 * Proxies close connections that are silent for 30 to 60 seconds.
 */
const DEFAULT_INTERVAL = 15_000;

/** The option for functions that write server-sent events. */
export interface HeartbeatOptions {
  /**
   * After how many milliseconds of silence to send a comment, which clients ignore. It keeps
   * proxies from closing the connection while the model thinks or a tool runs. `false`: never.
   * Default: 15000.
   */
  readonly heartbeat?: number | false;
}

/**
 * Adds a heartbeat to a stream after each silent interval. No timer is left behind when the stream
 * ends.
 *
 * @param makeBeat creates a heartbeat, or returns undefined for none
 * @throws RangeError unless the interval is a positive number of milliseconds, at most 24 days
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
    // The timer must not keep the process alive.
    timer.unref();
    subscriber.add(() => clearInterval(timer));
    return source.pipe(tap(() => timer.refresh())).subscribe(subscriber);
  });
}

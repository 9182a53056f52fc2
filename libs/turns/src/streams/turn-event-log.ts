import type { Observable } from 'rxjs';
import { OF_AI_MODULE, type Awaitable } from '@nestor-ai/core/internal';

/** An event of a turn, as a log stores it. */
export interface NumberedTurnEvent {
  /** The position in the turn, from 1. */
  readonly number: number;
  /** The event as JSON. A browser may see all of it. */
  readonly data: string;
}

/** How long a log keeps a turn after its last event by default, in milliseconds: one hour. */
export const DEFAULT_EVENT_RETENTION = 3_600_000;

/**
 * Stores the events of running turns, so that a browser that has lost its connection can read on,
 * also from another process. Provide one in `AiModule`, such as `PostgresTurnEventLog`, and workers
 * log the turns that they run. It is also the injection token.
 *
 * A log deletes a turn some time after its last event.
 */
export abstract class TurnEventLog {
  /** @internal */
  static readonly [OF_AI_MODULE] = 'store';

  /**
   * Adds events to a turn. Must be atomic: all events are stored, or none. It stores them only if
   * `after` is the number of the turn's last event, or the log has no events of the turn (any more),
   * and never if an event with a greater `fence` is stored.
   *
   * @param after the number of the event before the first one; 0 for a new turn
   * @param events the events as JSON
   * @param fence a number that grows with each request that runs the turn, so that a process which
   *   was paused does not write after its successor. Default: 0
   * @returns whether the events are stored
   */
  abstract append(turnId: string, after: number, events: readonly string[], fence?: number): Awaitable<boolean>;

  /**
   * The events after a number, oldest first. It may return only the first of them: read on after
   * the last one. If `after` is greater than the last number, it belongs to events that were
   * deleted, and you get all events.
   *
   * @returns undefined if the log has no events of the turn (any more)
   */
  abstract read(turnId: string, after: number): Awaitable<readonly NumberedTurnEvent[] | undefined>;

  /**
   * Emits when there may be new events. Hints may be lost, for example with a connection, so also
   * read without them from time to time. It never fails and never completes.
   */
  abstract changes(turnId: string): Observable<void>;

  /** Asks the process that runs a turn to stop it. */
  abstract requestStop(turnId: string): Awaitable<void>;

  /**
   * Emits when someone asks to stop the turn, or has asked before. It may emit again, and it never
   * fails and never completes.
   */
  abstract stops(turnId: string): Observable<void>;
}

import { EventEmitter } from 'node:events';
import { Observable } from 'rxjs';
import { boundedCache } from '@nestor-ai/core/internal';
import { DEFAULT_EVENT_RETENTION, type NumberedTurnEvent, TurnEventLog } from './turn-event-log.js';

interface KeptTurn {
  /** The number before the first event. */
  readonly before: number;
  readonly events: string[];
  fence: number;
  isToStop: boolean;
}

/** The options of {@link InMemoryTurnEventLog}. */
export interface InMemoryTurnEventLogOptions {
  /** How long to keep a turn after its last event, in milliseconds. Default: 3,600,000 (one hour). */
  retention?: number;
  /** The maximum number of turns. Above it, the least recently used one is deleted. Default: 1,000. */
  maxTurns?: number;
}

/**
 * Stores the events of turns in memory: for tests, and for applications of one process that runs
 * its own turns.
 */
export class InMemoryTurnEventLog extends TurnEventLog {
  readonly #turns: ReturnType<typeof boundedCache<KeptTurn>>;
  readonly #hints = new EventEmitter().setMaxListeners(0);

  constructor({ retention = DEFAULT_EVENT_RETENTION, maxTurns = 1000 }: InMemoryTurnEventLogOptions = {}) {
    super();
    this.#turns = boundedCache(maxTurns, { ttl: retention });
  }

  append(turnId: string, after: number, events: readonly string[], fence = 0): boolean {
    const known = this.#turns.get(turnId);
    if (known && known.events.length > 0 && (lastOf(known) !== after || known.fence > fence)) return false;
    const isToStop = known?.isToStop ?? false;
    const kept = known && known.events.length > 0 ? known : { before: after, events: [], fence, isToStop };
    kept.fence = fence;
    kept.events.push(...events);
    this.#turns.set(turnId, kept);
    this.#hints.emit(changeOf(turnId));
    return true;
  }

  read(turnId: string, after: number): readonly NumberedTurnEvent[] | undefined {
    const kept = this.#turns.get(turnId);
    if (!kept || kept.events.length === 0) return undefined;
    const from = after > lastOf(kept) ? 0 : Math.max(0, after - kept.before);
    return kept.events.slice(from).map((data, index) => ({ number: kept.before + from + index + 1, data }));
  }

  changes(turnId: string): Observable<void> {
    return this.#listen(changeOf(turnId));
  }

  requestStop(turnId: string): void {
    const kept = this.#turns.get(turnId) ?? { before: 0, events: [], fence: 0, isToStop: true };
    kept.isToStop = true;
    this.#turns.set(turnId, kept);
    this.#hints.emit(stopOf(turnId));
  }

  stops(turnId: string): Observable<void> {
    return this.#listen(stopOf(turnId), () => this.#turns.get(turnId)?.isToStop === true);
  }

  #listen(hint: string, isGiven = (): boolean => false): Observable<void> {
    return new Observable((subscriber) => {
      const give = (): void => subscriber.next();
      this.#hints.on(hint, give);
      if (isGiven()) give();
      return () => this.#hints.off(hint, give);
    });
  }
}

function lastOf({ before, events }: KeptTurn): number {
  return before + events.length;
}

function changeOf(turnId: string): string {
  return `change ${turnId}`;
}

function stopOf(turnId: string): string {
  return `stop ${turnId}`;
}

import { createHash } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import { DEFAULT_EVENT_RETENTION, type NumberedTurnEvent, TurnEventLog } from '@nestor-ai/turns';
import type { Observable } from 'rxjs';
import { PostgresDatabase } from '../database/postgres-database.js';
import { toStored, toStoredId } from '../database/stored-text.js';
import { AppendBatches } from '../journal/append-batches.js';
import { repeatWhenLost } from '../journal/repeat-when-lost.js';
import { AppendEvents, type EventsAppend } from './append-events.js';
import { TurnEventSignals } from './turn-event-signals.js';
import { MAX_DELETED, type TurnEventStatements, turnEventStatements } from './turn-events.statements.js';

/** How often a process that writes deletes expired events, in milliseconds. */
const DELETE_INTERVAL = 60_000;

/** The options of {@link PostgresTurnEventLog}. */
export interface PostgresTurnEventLogOptions {
  /** How long to keep a turn after its last event, in milliseconds. Default: 3,600,000 (one hour). */
  readonly retention?: number;
}

interface EventsRow {
  readonly last_number: number;
  readonly first_number: number | null;
  readonly events: string | null;
}

/**
 * Stores the events of running turns in PostgreSQL, so that all replicas can read and stop the
 * turns of each other. Appends of several turns that are made at the same time share one statement,
 * and a process never has more than two of these under way.
 *
 * A process that reads or runs turns keeps one connection of the pool to `LISTEN`. Through a
 * PgBouncer in transaction mode, no notifications arrive, and a reader looks for events every few
 * seconds.
 *
 * @publicApi
 */
export class PostgresTurnEventLog extends TurnEventLog implements OnApplicationShutdown {
  readonly #statements: TurnEventStatements;
  readonly #channel: string;
  readonly #batches: AppendBatches<EventsAppend>;
  readonly #signals: TurnEventSignals;
  readonly #retention: number;
  #deletedAt = -Infinity;
  #isClosed = false;

  constructor(
    private readonly database: PostgresDatabase,
    { retention = DEFAULT_EVENT_RETENTION }: PostgresTurnEventLogOptions = {},
  ) {
    super();
    this.#statements = turnEventStatements(database);
    this.#retention = retention;
    this.#channel = channelOf(database.table('turn_events'));
    this.#batches = new AppendBatches(new AppendEvents(database, this.#statements, retention, this.#channel));
    this.#signals = new TurnEventSignals(database, this.#channel, (turnIds) => this.#findStops(turnIds));
  }

  /** @throws RangeError if the id of the turn has more than 1,000 bytes */
  async append(turnId: string, after: number, events: readonly string[], fence = 0): Promise<boolean> {
    const id = toStoredId(turnId, 'turn id');
    const row = { id, after, count: events.length, data: JSON.stringify(events), fence };
    if (await this.#batches.append(row)) {
      this.#deleteExpired();
      return true;
    }
    // The numbers of events that have expired do not matter.
    const [deleted] = await this.database.query('delete events of turns', this.#statements.deleteTurn, [id]);
    return deleted !== undefined && this.#batches.append(row);
  }

  async read(turnId: string, after: number): Promise<readonly NumberedTurnEvent[] | undefined> {
    const rows = await repeatWhenLost(() =>
      this.database.query<EventsRow>('read the events of a turn', this.#statements.read, [toStored(turnId), after]),
    );
    if (rows.length === 0) return undefined;
    const from = after > rows[0]!.last_number ? 0 : after;
    return rows.flatMap(toEvents).filter(({ number }) => number > from);
  }

  changes(turnId: string): Observable<void> {
    return this.#signals.changes(toStored(turnId));
  }

  async requestStop(turnId: string): Promise<void> {
    const values = [toStoredId(turnId, 'turn id'), this.#retention, this.#channel];
    await repeatWhenLost(() => this.database.query('stop a turn', this.#statements.requestStop, values));
  }

  stops(turnId: string): Observable<void> {
    return this.#signals.stops(toStored(turnId));
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isClosed = true;
    await this.#signals.close();
  }

  async #findStops(turnIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.query<{ turn_id: string }>('look for stopped turns', this.#statements.findStops, [
      turnIds,
    ]);
    return rows.map(({ turn_id }) => turn_id);
  }

  /** In the background, until nothing is left: turns may expire faster than one statement deletes them. */
  #deleteExpired(): void {
    const now = performance.now();
    if (now - this.#deletedAt < DELETE_INTERVAL) return;
    this.#deletedAt = now;
    this.#deleteAllExpired().then(undefined, () => (this.#deletedAt = -Infinity));
  }

  async #deleteAllExpired(): Promise<void> {
    let deleted: readonly unknown[];
    do deleted = await this.database.query('delete events of turns', this.#statements.deleteExpired);
    while (deleted.length === MAX_DELETED && !this.#isClosed);
  }
}

/** The channel of the notifications about a table. Its name has at most 63 bytes. */
export function channelOf(table: string): string {
  return `nestor_${createHash('sha256').update(table).digest('hex').slice(0, 32)}`;
}

function toEvents({ first_number, events }: EventsRow): NumberedTurnEvent[] {
  if (first_number === null || events === null) return [];
  return (JSON.parse(events) as string[]).map((data, index) => ({ number: first_number + index, data }));
}

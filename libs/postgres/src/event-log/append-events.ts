import type { PostgresDatabase } from '../database/postgres-database.js';
import type { AppendStore, BatchedAppend } from '../journal/append-batches.js';
import type { TurnEventStatements } from './turn-events.statements.js';

/** Events to append to one turn. */
export interface EventsAppend extends BatchedAppend {
  readonly after: number;
  readonly count: number;
  readonly fence: number;
}

/** Stores the events of several turns with one statement. */
export class AppendEvents implements AppendStore<EventsAppend> {
  constructor(
    private readonly database: PostgresDatabase,
    private readonly statements: TurnEventStatements,
    private readonly retention: number,
    private readonly channel: string,
  ) {}

  /** The writer of a turn finds out itself whether a statement that has failed has stored its events. */
  async store(rows: readonly EventsAppend[]): Promise<ReadonlySet<string>> {
    const stored = await this.database.query<{ turn_id: string }>('store events of turns', this.statements.append, [
      rows.map(({ id }) => id),
      rows.map(({ after }) => after),
      rows.map(({ count }) => count),
      rows.map(({ data }) => data),
      rows.map(({ fence }) => fence),
      this.retention,
      this.channel,
    ]);
    return new Set(stored.map(({ turn_id }) => turn_id));
  }
}

import { Injectable } from '@nestjs/common';
import { type JournaledTurn, type TurnAppend, TurnJournal, type TurnQuery, type TurnSummary } from '@nestor-ai/turns';
import { PostgresDatabase } from '../database/postgres-database.js';
import { AppendBatches } from './append-batches.js';
import { AppendStatement } from './append-statement.js';
import { toStored } from '../database/stored-text.js';
import { findTurns } from './find-turns.js';
import { repeatWhenLost } from './repeat-when-lost.js';
import { TransactionEffects } from './transaction-effects.js';
import { type TurnJournalStatements, turnJournalStatements } from './turn-journal.statements.js';
import { type AppendRow, toAppendRow, toSummary, toTurn, type TurnRow } from './turn-rows.js';

/** Which ended turns to delete. */
export interface DeleteEndedTurns {
  /** How long ago the turns must have ended, in milliseconds. */
  readonly olderThan: number;
  /** The most turns to delete at once. Default: 1000. */
  readonly limit?: number;
}

/**
 * Records turns in PostgreSQL. Each method is one statement; appends of several turns that are
 * made at the same time share one. It keeps no state in the session and no prepared statements, so
 * it works through PgBouncer in transaction mode.
 *
 * If a connection breaks, it repeats the statement on another one for about ten seconds. Entries
 * are then stored exactly once: the journal finds out whether the lost statement stored them.
 *
 * @publicApi
 */
@Injectable()
export class PostgresTurnJournal extends TurnJournal {
  readonly #database: PostgresDatabase;
  readonly #statements: TurnJournalStatements;
  readonly #batches: AppendBatches<AppendRow>;
  readonly #effects: TransactionEffects;

  constructor(database: PostgresDatabase) {
    super();
    this.#database = database;
    this.#statements = turnJournalStatements(database);
    this.#batches = new AppendBatches(new AppendStatement(database, this.#statements));
    this.#effects = new TransactionEffects(database, this.#statements);
  }

  /** @throws RangeError if an id, the requester or the conversation id has more than 1,000 bytes */
  async append(append: TurnAppend): Promise<boolean> {
    return this.#batches.append(toAppendRow(append));
  }

  async read(turnId: string): Promise<JournaledTurn | undefined> {
    const [row] = await this.#query<TurnRow & { entries: string | null }>('read a turn', this.#statements.read, [
      toStored(turnId),
    ]);
    return row && toTurn(row);
  }

  async claim(turnId: string, after: number, owner: string, lease: number): Promise<boolean> {
    const values = [toStored(turnId), after, toStored(owner), lease];
    return (await this.#query('claim a turn', this.#statements.claim, values)).length > 0;
  }

  async find(query: TurnQuery): Promise<readonly TurnSummary[]> {
    const { text, values } = findTurns(this.#database.table('turns'), query);
    return (await this.#query<TurnRow>('find turns', text, values)).map(toSummary);
  }

  /**
   * Runs code in a transaction, once per turn and key. If the code or the commit fails, nothing is
   * stored, and the code runs again in the next call.
   *
   * @param work receives the client of `pg`. It must not begin or end transactions, nor wait for
   *   the journal: a pool of one connection would never get to it.
   * @returns the result as JSON gives it back
   */
  override async transaction<T>(turnId: string, key: string, work: (client: unknown) => Promise<T>): Promise<T> {
    return this.#effects.run(turnId, key, work);
  }

  /**
   * Deletes ended turns with their entries, the oldest first. Call it from a schedule until it
   * returns less than `limit`. Several processes may do so at the same time.
   *
   * @returns how many turns it has deleted
   */
  async deleteEndedTurns({ olderThan, limit = 1000 }: DeleteEndedTurns): Promise<number> {
    return (await this.#query('delete ended turns', this.#statements.deleteEnded, [olderThan, limit])).length;
  }

  async #query<Row>(purpose: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return repeatWhenLost(async () => this.#database.query<Row>(purpose, text, values));
  }
}

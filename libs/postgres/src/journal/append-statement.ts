import type { AppendStore } from './append-batches.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { repeatWhenLost } from './repeat-when-lost.js';
import type { AppendRow } from './turn-rows.js';
import type { TurnJournalStatements } from './turn-journal.statements.js';

/** Completes "Nestor could not …" in an error. */
const RECORDING = 'record what happened in turns';

/** Stores appends of several turns with one statement, each exactly once. */
export class AppendStatement implements AppendStore<AppendRow> {
  constructor(
    private readonly database: PostgresDatabase,
    private readonly statements: TurnJournalStatements,
  ) {}

  /**
   * If the connection breaks, the statement runs again. Its fence refuses the rows that the first
   * run stored; the entries of the turn tell those from the rows that another writer got ahead of.
   */
  async store(rows: readonly AppendRow[], isRepeated: boolean): Promise<ReadonlySet<string>> {
    return repeatWhenLost(async (mayBeExecuted) => {
      const stored = await this.#idsOf(this.statements.append, [
        rows.map(({ id }) => id),
        rows.map(({ after }) => after),
        rows.map(({ added }) => added),
        rows.map(({ owner }) => owner),
        rows.map(({ lease }) => lease),
        rows.map(({ status }) => status),
        rows.map(({ requester }) => requester),
        rows.map(({ client }) => client),
        rows.map(({ conversationId }) => conversationId),
        rows.map(({ pending }) => pending),
        rows.map(({ data }) => data),
      ]);
      const refused = rows.filter(({ id }) => !stored.has(id));
      if (refused.length === 0 || !(mayBeExecuted || isRepeated)) return stored;
      return new Set([...stored, ...(await this.#storedBefore(refused))]);
    });
  }

  async #storedBefore(rows: readonly AppendRow[]): Promise<ReadonlySet<string>> {
    return this.#idsOf(this.statements.storedBefore, [
      rows.map(({ id }) => id),
      rows.map(({ after }) => after),
      rows.map(({ added }) => added),
      rows.map(({ owner }) => owner),
      rows.map(({ status }) => status),
      rows.map(({ data }) => data),
    ]);
  }

  async #idsOf(statement: string, values: readonly unknown[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ id: string }>(RECORDING, statement, values);
    return new Set(rows.map(({ id }) => id));
  }
}

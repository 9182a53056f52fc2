import type { PostgresDatabase, PostgresQueries } from '../database/postgres-database.js';
import { PostgresException } from '../database/postgres.exception.js';
import { toStoredId } from '../database/stored-text.js';
import type { TurnJournalStatements } from './turn-journal.statements.js';

/** Completes "Nestor could not …" in an error. */
const RUNNING = 'run the transaction of a tool';

/** Runs code in transactions, each key of a turn once. */
export class TransactionEffects {
  constructor(
    private readonly database: PostgresDatabase,
    private readonly statements: TurnJournalStatements,
  ) {}

  /**
   * The row of a key is inserted before the code runs. So a second transaction of the same key
   * waits for the first: it finds the result if that was committed, and else runs the code.
   */
  async run<T>(turnId: string, key: string, work: (client: unknown) => Promise<T>): Promise<T> {
    const effect = [toStoredId(turnId, 'turn id'), toStoredId(key, 'transaction key')] as const;
    let hasWorked = false;
    try {
      return await this.database.transaction(RUNNING, async (queries, client) => {
        const stored = await this.#storedResult(queries, effect);
        if (stored) return parse<T>(stored.result);
        const result = JSON.stringify(await work(client)) as string | undefined;
        await queries.query(RUNNING, this.statements.storeEffect, [...effect, result ?? null]);
        hasWorked = true;
        return parse<T>(result ?? null);
      });
    } catch (error) {
      if (!hasWorked || !(error instanceof PostgresException && error.isConnectionFailure)) throw error;
      return this.#resultAfterLostCommit<T>(effect, error);
    }
  }

  /** The result of an earlier transaction. Without one, the key is reserved for this transaction. */
  async #storedResult(
    queries: PostgresQueries,
    effect: readonly [turnId: string, key: string],
  ): Promise<{ result: string | null } | undefined> {
    const reserved = await queries.query(RUNNING, this.statements.reserveEffect, effect);
    if (reserved.length > 0) return undefined;
    const [row] = await queries.query<{ result: string | null }>(RUNNING, this.statements.readEffect, effect);
    return row;
  }

  /** Reserving the key again waits until the server has committed the lost transaction, or not. */
  async #resultAfterLostCommit<T>(effect: readonly [turnId: string, key: string], lost: PostgresException): Promise<T> {
    return this.database.transaction(RUNNING, async (queries) => {
      const stored = await this.#storedResult(queries, effect);
      if (stored) return parse<T>(stored.result);
      throw lost;
    });
  }
}

function parse<T>(result: string | null): T {
  return (result === null ? undefined : JSON.parse(result)) as T;
}

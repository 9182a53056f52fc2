import { guardConnection, guardPool } from './guard-pool.js';
import type { PostgresClient, PostgresConnection, PostgresPool } from './postgres-pool.js';
import { PostgresException } from './postgres.exception.js';
import { type TableLocation, TableNames } from './table-names.js';

/** Runs statements. */
export interface PostgresQueries {
  /**
   * Runs a statement in one round trip.
   *
   * @param purpose completes "Nestor could not …" in an error: `store a conversation`
   * @param sql the statement, with $1, $2 and so on in place of values
   * @param values the values
   * @throws PostgresException that names the purpose and the remedy, without the values
   */
  query<Row>(purpose: string, sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * The database of the stores. Inject it to write a store of your own: it names tables, translates
 * errors and runs transactions.
 */
export class PostgresDatabase implements PostgresQueries {
  readonly names: TableNames;

  constructor(
    private readonly pool: PostgresPool,
    location: TableLocation,
  ) {
    this.names = new TableNames(location);
    guardPool(pool);
  }

  /** The most connections of the pool. Undefined if the pool does not tell. */
  get maxConnections(): number | undefined {
    return this.pool.options?.max;
  }

  /** The quoted name of a table with its schema and prefix. */
  table(name: string): string {
    return this.names.of(name);
  }

  async query<Row>(purpose: string, sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return run<Row>(this.pool, purpose, sql, values);
  }

  /**
   * Runs statements in one transaction, which it commits at the end and rolls back after an error.
   *
   * Its isolation level is read committed, whatever the default of the server is.
   *
   * @param work receives the connection, too, for statements of the application
   * @throws the error of `work`, or PostgresException when the transaction cannot begin or commit
   */
  async transaction<T>(
    purpose: string,
    work: (queries: PostgresQueries, connection: PostgresClient) => Promise<T>,
  ): Promise<T> {
    const connection = await this.connect(purpose);
    let isUsable = false;
    try {
      await run(connection, purpose, 'BEGIN ISOLATION LEVEL READ COMMITTED', []);
      const result = await work(this.within(connection), connection).catch(async (error: unknown) => {
        // Without a connection there is nothing to roll back: the server has done it.
        isUsable = await run(connection, purpose, 'ROLLBACK', []).then(
          () => true,
          () => false,
        );
        throw error;
      });
      await run(connection, purpose, 'COMMIT', []);
      isUsable = true;
      return result;
    } finally {
      // A connection that may still be inside a transaction must not be used again.
      connection.release(!isUsable);
    }
  }

  /** Runs statements over a connection of the application, such as inside its own transaction. */
  within(client: PostgresClient): PostgresQueries {
    return { query: (purpose, sql, values = []) => run(client, purpose, sql, values) };
  }

  /**
   * Takes a connection out of the pool. Listen to its errors, and release it.
   *
   * @throws PostgresException when there is none
   */
  async connect(purpose: string): Promise<PostgresConnection> {
    try {
      const connection = await this.pool.connect();
      // A pool that wraps another one may not tell of its connections.
      guardConnection(connection);
      return connection;
    } catch (error) {
      throw PostgresException.of(purpose, error);
    }
  }
}

async function run<Row>(
  client: PostgresClient,
  purpose: string,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    const { rows } = await client.query(sql, [...values]);
    return rows as readonly Row[];
  } catch (error) {
    throw PostgresException.of(purpose, error);
  }
}

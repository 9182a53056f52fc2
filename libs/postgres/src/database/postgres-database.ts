import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { answerWithin } from './answer-within.js';
import { guardConnection, guardPool } from './guard-pool.js';
import type { PostgresClient, PostgresConnection, PostgresPool } from './postgres-pool.js';
import type { PostgresException } from './postgres.exception.js';
import { PostgresSession } from './postgres-session.js';
import { POSTGRES_TIMES, type PostgresTimes } from './postgres-times.js';
import { TableNames } from './table-names.js';

/** PgBouncer gives numbers of its own, which no process of this user has. */
const END_BACKEND = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND usename = current_user`;

/** A transaction that met another one, and is rolled back: serialization failure, deadlock. */
const ROLLED_BACK = new Set(['40001', '40P01']);

/** How long to repeat a statement that was rolled back, and the longest pause between, in milliseconds. */
const [LONGEST_REPETITION, MAX_PAUSE] = [10_000, 50];

const logger = new Logger('PostgresAiModule');

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
    schema: string,
    readonly times: PostgresTimes = POSTGRES_TIMES,
  ) {
    this.names = new TableNames(schema);
    guardPool(pool);
  }

  /** The most connections of the pool. Undefined if the pool does not tell. */
  get maxConnections(): number | undefined {
    return this.pool.options?.max;
  }

  /** The quoted name of a table with its schema. */
  table(name: string): string {
    return this.names.of(name);
  }

  async query<Row>(purpose: string, sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    for (const end = performance.now() + LONGEST_REPETITION; ; await pause(Math.random() * MAX_PAUSE)) {
      const session = await this.#open(purpose, this.#limit);
      try {
        return await session.query<Row>(purpose, sql, values);
      } catch (error) {
        // If the default isolation is stricter, one of two statements that change the same row is rolled back.
        if (!ROLLED_BACK.has((error as PostgresException).code ?? '') || performance.now() > end) throw error;
      } finally {
        session.giveBack();
      }
    }
  }

  /**
   * Runs statements in one transaction, which it commits at the end and rolls back after an error.
   *
   * Its isolation level is read committed, whatever the default of the server is. If the process
   * stops to respond, the server rolls the transaction back.
   *
   * @param work receives the connection, too, for statements of the application
   * @param limit the longest wait for an answer, in milliseconds. Default: one minute, or the
   *   `query_timeout` of the pool
   * @throws the error of `work`, or PostgresException when the transaction cannot begin or commit
   */
  async transaction<T>(
    purpose: string,
    work: (queries: PostgresQueries, connection: PostgresClient) => Promise<T>,
    limit = this.pool.options?.query_timeout || this.times.transactionStatement,
  ): Promise<T> {
    const session = await this.#open(purpose, limit);
    try {
      await session.query(purpose, 'BEGIN ISOLATION LEVEL READ COMMITTED');
      if (session.isOwnSession) {
        session.keep(this.times.heartbeat);
        await session.query(purpose, `SET LOCAL idle_in_transaction_session_timeout = ${this.times.silence}`);
      }
      const result = await work(session, session.connection);
      await session.query(purpose, 'COMMIT');
      return result;
    } catch (error) {
      // A connection that may still be inside a transaction must not be used again. Without one, the
      // server has rolled back.
      await session.query(purpose, 'ROLLBACK').catch(() => session.close());
      throw error;
    } finally {
      session.giveBack();
    }
  }

  /** Runs statements over a connection of the application, such as inside its own transaction. */
  within(client: PostgresClient): PostgresQueries {
    return {
      query: async <Row>(purpose: string, sql: string, values: readonly unknown[] = []) => {
        const { rows } = await answerWithin(this.#limit, purpose, client.query(sql, [...values]));
        return rows as readonly Row[];
      },
    };
  }

  /**
   * Takes a connection out of the pool and keeps it: a heartbeat shows whether it still works. Give
   * it back, or close it.
   *
   * @param onLost called once, when the connection is lost. Then you need not close it
   * @throws PostgresException when there is none
   */
  async connect(purpose: string, onLost: () => void): Promise<PostgresSession> {
    const session = await this.#open(purpose, this.#limit);
    session.keep(this.times.heartbeat, onLost);
    return session;
  }

  get #limit(): number {
    return this.pool.options?.query_timeout || this.times.statement;
  }

  async #open(purpose: string, limit: number): Promise<PostgresSession> {
    return new PostgresSession(await this.#borrow(purpose), {
      limit,
      onSilence: () => this.#closeIdle(),
      endBackend: async (backend) => this.#endBackend(backend),
    });
  }

  async #borrow(purpose: string): Promise<PostgresConnection> {
    const { connectionTimeoutMillis } = this.pool.options ?? {};
    const connecting = this.pool.connect();
    try {
      const limit = connectionTimeoutMillis || this.times.connection;
      const connection = await answerWithin(limit, purpose, connecting, 'POOL_TIMEOUT');
      // A pool that wraps another one may not tell of its connections.
      guardConnection(connection);
      return connection;
    } catch (error) {
      connecting.then(
        (connection) => connection.release(),
        () => undefined,
      );
      throw error;
    }
  }

  /** What silenced one connection may have silenced others. So the next statement gets a new one. */
  #closeIdle(): void {
    for (let idle = this.pool.idleCount ?? 0; idle > 0; idle--)
      this.pool.connect().then(
        (connection) => connection.release(true),
        // There is nothing to close.
        () => undefined,
      );
  }

  /** Does nothing if the server cannot be reached: there, the silence ends the session. */
  async #endBackend(backend: number): Promise<void> {
    const purpose = 'end a connection';
    try {
      const session = new PostgresSession(await this.#borrow(purpose), { limit: this.#limit });
      await session.query(purpose, END_BACKEND, [backend]).finally(() => session.giveBack());
    } catch (error) {
      logger.debug(error instanceof Error ? error.message : 'A connection could not be ended on the server.');
    }
  }
}

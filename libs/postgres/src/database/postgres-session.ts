import { answerWithin } from './answer-within.js';
import type { PostgresQueries } from './postgres-database.js';
import type { PostgresConnection } from './postgres-pool.js';
import { PostgresException } from './postgres.exception.js';

/** Completes "Nestor could not …" in an error. */
const KEEPING = 'keep a connection';

/** What a session needs of its database. */
export interface SessionOptions {
  /** The longest wait for an answer, in milliseconds. */
  readonly limit: number;
  /** Called when an answer does not come in time. */
  readonly onSilence?: () => void;
  /** Ends a session on the server, which does not notice that a client is gone while a statement runs. */
  readonly endBackend?: (backend: number) => Promise<void>;
}

/**
 * A connection of the pool while it is borrowed. If an answer does not come in time, the connection
 * is closed, and its session on the server ended: a statement that waits for a lock would stay.
 */
export class PostgresSession implements PostgresQueries {
  #isOver = false;
  #unanswered = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  #onLost: (() => void) | undefined;
  /** The process of the server. Undefined: not known. */
  backend: number | undefined;

  constructor(
    readonly connection: PostgresConnection,
    private readonly options: SessionOptions,
  ) {
    this.backend = connection.processID ?? undefined;
  }

  /** Whether the connection was lost, closed or given back. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the connection is one of `pg`, to a session of its own. PGlite has a single one, without a network. */
  get isOwnSession(): boolean {
    return this.connection.on !== undefined;
  }

  /** @param wait how long the statement may wait for a lock before the limit applies, in milliseconds */
  async query<Row>(purpose: string, sql: string, values: readonly unknown[] = [], wait = 0): Promise<readonly Row[]> {
    if (this.#isOver) throw PostgresException.of(purpose, { code: 'ECONNRESET' });
    this.#unanswered++;
    try {
      const { rows } = await answerWithin(this.options.limit + wait, purpose, this.connection.query(sql, [...values]));
      return rows as readonly Row[];
    } catch (error) {
      const failure = PostgresException.of(purpose, error);
      if (failure.isConnectionFailure) this.#lose();
      if (failure.code === 'ETIMEDOUT') {
        this.options.onSilence?.();
        void this.#endBackend();
      }
      throw failure;
    } finally {
      this.#unanswered--;
    }
  }

  /**
   * Keeps the connection for longer. If nothing else asks the server something, a heartbeat does: so
   * either side notices when it is alone.
   *
   * @param interval in milliseconds
   * @param onLost called once, when the connection is lost
   */
  keep(interval: number, onLost?: () => void): void {
    if (!this.isOwnSession) return;
    if (onLost) {
      this.#onLost = onLost;
      this.connection.on?.('error', this.#lose);
    }
    this.#heartbeat = setInterval(() => {
      // A heartbeat without an answer loses the session. One that a failed transaction refuses has one.
      if (this.#unanswered === 0) this.query(KEEPING, 'SELECT 1').catch(() => undefined);
    }, interval).unref();
  }

  /** Returns the connection to the pool. It has no state any more. */
  giveBack(): void {
    this.#end(false);
  }

  /** Closes the connection. */
  close(): void {
    this.#end(true);
  }

  /** Closes the connection while a statement runs, and waits until the server has ended that, too. */
  async cancel(): Promise<void> {
    if (this.#end(true)) await this.#endBackend();
  }

  readonly #lose = (): void => {
    if (this.#end(true)) this.#onLost?.();
  };

  /** @returns false if the session was over before */
  #end(isClosed: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.connection.removeListener?.('error', this.#lose);
    this.connection.release(isClosed);
    return true;
  }

  async #endBackend(): Promise<void> {
    const { backend, options } = this;
    if (backend !== undefined) await options.endBackend?.(backend);
  }
}

import { Logger } from '@nestjs/common';
import type { ConversationHold } from '@nestor-ai/core';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresSession } from '../database/postgres-session.js';
import { PostgresException } from '../database/postgres.exception.js';

/** Completes "Nestor could not …" in an error. */
const LOCKING = 'lock a conversation';

/** PostgreSQL before version 14 does not have the setting. */
const OPEN = `SELECT pg_backend_pid() AS backend, set_config(name, $1, false) FROM pg_settings WHERE name = 'idle_session_timeout'`;

const STILL_LOCKED =
  'A conversation stays locked, since another session of the server holds the lock. Set pool_mode=session in PgBouncer, or connect to PostgreSQL itself.';

const logger = new Logger('PostgresAiModule');

/**
 * A connection that holds advisory locks. They end with it: at once if it is closed, and after a
 * silence if its process stands still, or its machine has vanished.
 */
export class LockSession {
  readonly #lost = new Map<bigint, (error: Error) => void>();
  #session!: PostgresSession;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly database: PostgresDatabase,
    private readonly onEnd: () => void,
  ) {}

  /** @param onEnd called when the connection is lost */
  static async open(database: PostgresDatabase, onEnd: () => void = () => undefined): Promise<LockSession> {
    const locks = new LockSession(database, onEnd);
    locks.#session = await database.connect(LOCKING, locks.#lose);
    if (locks.#session.isOwnSession) await locks.#endAfterSilence();
    return locks;
  }

  /** @returns whether the lock was free */
  async tryLock(key: bigint, onLost: (error: Error) => void): Promise<boolean> {
    const rows = await this.#run<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [key.toString()]);
    const isLocked = String(rows[0]?.locked).startsWith('t');
    if (isLocked) this.#lost.set(key, onLost);
    return isLocked;
  }

  /**
   * Waits for the lock.
   *
   * @param longest how long the server waits, in milliseconds
   * @returns false if the lock was not free in that time
   */
  async lock(key: bigint, longest: number, onLost: (error: Error) => void): Promise<boolean> {
    const sql = `SELECT pg_advisory_lock($1) FROM set_config('lock_timeout', $2, true)`;
    try {
      await this.#run(sql, [key.toString(), String(longest)], longest);
    } catch (error) {
      if (error instanceof PostgresException && error.code === '55P03') return false;
      throw error;
    }
    this.#lost.set(key, onLost);
    return true;
  }

  holdOf(key: bigint): ConversationHold {
    return {
      release: async () => {
        if (!this.#lost.delete(key)) return;
        try {
          const sql = 'SELECT pg_advisory_unlock($1) AS unlocked';
          const [row] = await this.#run<{ unlocked: boolean }>(sql, [key.toString()]);
          if (String(row?.unlocked).startsWith('f')) logger.error(STILL_LOCKED);
        } catch (error) {
          // The end of the connection releases its locks.
          logger.warn(error instanceof Error ? error.message : 'A conversation could not be released.');
          if (this.#session.isOver) return;
          this.close();
          this.#lose();
        }
      },
    };
  }

  /** Ends the connection, and with it its locks. */
  close(): void {
    this.#session.close();
  }

  /** Ends the connection while it waits for a lock. Nothing of it is left on the server. */
  async cancel(): Promise<void> {
    await this.#session.cancel();
  }

  async #endAfterSilence(): Promise<void> {
    try {
      const rows = await this.#run<{ backend: number }>(OPEN, [String(this.database.times.silence)]);
      this.#session.backend = rows[0]?.backend ?? this.#session.backend;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** @param wait how long the server may wait before it runs the statement, in milliseconds */
  async #run<Row>(sql: string, values: readonly string[], wait = 0): Promise<readonly Row[]> {
    const session = this.#session;
    // A connection runs one statement at a time.
    const running = this.#last.then(async () => session.query<Row>(LOCKING, sql, values, wait));
    this.#last = running.catch(() => undefined);
    const rows = await running;
    // The server may have ended the session after its answer: then it holds no lock.
    if (session.isOver) throw PostgresException.of(LOCKING, { code: 'ECONNRESET' });
    return rows;
  }

  readonly #lose = (): void => {
    const lost = [...this.#lost.values()];
    this.#lost.clear();
    this.onEnd();
    const error = new PostgresException(
      'The turn was aborted, since the connection to PostgreSQL that held its conversation was lost. Another process may ' +
        'hold the conversation now. Repeat the request.',
    );
    for (const tell of lost) tell(error);
  };
}

import { Logger } from '@nestjs/common';
import type { ConversationHold } from '@nestor-ai/core';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { PostgresException } from '../database/postgres.exception.js';

/** Completes "Nestor could not …" in an error. */
const LOCKING = 'lock a conversation';

const logger = new Logger('PostgresAiModule');

/** A connection that holds advisory locks. */
export class LockSession {
  readonly #lost = new Map<bigint, (error: Error) => void>();
  #isOver = false;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly connection: PostgresConnection,
    private readonly onEnd: () => void,
  ) {
    connection.on?.('error', this.#lose);
  }

  /** @param onEnd called when the connection is lost */
  static async open(database: PostgresDatabase, onEnd: () => void = () => undefined): Promise<LockSession> {
    return new LockSession(await database.connect(LOCKING), onEnd);
  }

  /** @returns whether the lock was free */
  async tryLock(key: bigint, onLost: (error: Error) => void): Promise<boolean> {
    const rows = await this.#run<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', key);
    const isLocked = String(rows[0]?.locked).startsWith('t');
    if (isLocked) this.#lost.set(key, onLost);
    return isLocked;
  }

  /** Waits for the lock. */
  async lock(key: bigint, onLost: (error: Error) => void): Promise<void> {
    await this.#run('SELECT pg_advisory_lock($1)', key);
    this.#lost.set(key, onLost);
  }

  holdOf(key: bigint): ConversationHold {
    return {
      release: async () => {
        if (!this.#lost.delete(key)) return;
        try {
          await this.#run('SELECT pg_advisory_unlock($1)', key);
        } catch (error) {
          // The end of the connection releases its locks.
          logger.warn(error instanceof Error ? error.message : 'A conversation could not be released.');
          this.#lose();
        }
      },
    };
  }

  /** Ends the connection, and with it its locks. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.connection.release(true);
  }

  /** Returns the connection to the pool. It holds no lock any more. */
  giveBack(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.connection.removeListener?.('error', this.#lose);
    this.connection.release();
  }

  async #run<Row>(sql: string, key: bigint): Promise<readonly Row[]> {
    // A connection runs one statement at a time.
    const running = this.#last.then(() => this.connection.query(sql, [key.toString()]));
    this.#last = running.catch(() => undefined);
    try {
      const { rows } = await running;
      return rows as readonly Row[];
    } catch (error) {
      throw PostgresException.of(LOCKING, error);
    }
  }

  readonly #lose = (): void => {
    const lost = [...this.#lost.values()];
    this.#lost.clear();
    this.close();
    this.onEnd();
    const error = new Error(
      'The turn was aborted, since the connection to PostgreSQL that held its conversation was lost. Another process may ' +
        'hold the conversation now. Repeat the request.',
    );
    for (const tell of lost) tell(error);
  };
}

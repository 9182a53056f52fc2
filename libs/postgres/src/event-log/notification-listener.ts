import { Logger } from '@nestjs/common';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresConnection, PostgresNotification } from '../database/postgres-pool.js';
import { PostgresException } from '../database/postgres.exception.js';
import { quoted } from '../database/table-names.js';

const LISTENING = 'listen for new events of turns';

/** How long to wait before a lost connection is replaced, in milliseconds. */
const PAUSE = 1000;

const logger = new Logger('PostgresAiModule');

/**
 * Receives the notifications of one channel over a connection of its own. It replaces a connection
 * that is lost. Notifications in between are lost as well.
 */
export class NotificationListener {
  #connection: PostgresConnection | undefined;
  #opening: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isWarned = false;

  /** @param onNotification receives the text of a notification */
  constructor(
    private readonly database: PostgresDatabase,
    private readonly channel: string,
    private readonly onNotification: (payload: string) => void,
  ) {}

  /** Whether notifications arrive. */
  get isListening(): boolean {
    return this.#connection !== undefined;
  }

  /** Opens the connection, unless it is open. */
  open(): void {
    if (this.#isClosed || this.#connection || this.#opening || this.#retry) return;
    this.#opening = this.#listen()
      .catch((error: unknown) => this.#tryLater(error))
      .finally(() => (this.#opening = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#opening;
    this.#drop();
  }

  async #listen(): Promise<void> {
    const connection = await this.database.connect(LISTENING);
    if (!connection.on || this.#isClosed) {
      connection.release();
      // Such a pool cannot receive notifications.
      this.#isClosed = true;
      return;
    }
    connection.on('error', this.#lose);
    connection.on('notification', this.#receive);
    try {
      await connection.query(`LISTEN ${quoted(this.channel)}`);
    } catch (error) {
      connection.release(true);
      throw PostgresException.of(LISTENING, error);
    }
    this.#isWarned = false;
    this.#connection = connection;
  }

  readonly #receive = ({ channel, payload }: PostgresNotification): void => {
    if (channel === this.channel && payload !== undefined) this.onNotification(payload);
  };

  readonly #lose = (): void => {
    if (this.#connection) this.#tryLater(undefined);
    this.#drop();
  };

  #tryLater(error: unknown): void {
    if (error instanceof Error && !this.#isWarned) {
      this.#isWarned = true;
      logger.warn(`${error.message} Until then, Nestor looks for new events several times a second.`);
    }
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.open();
    }, PAUSE);
    this.#retry.unref();
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.removeListener?.('error', this.#lose);
    // The connection may report more errors while it ends.
    connection?.on?.('error', () => undefined);
    connection?.release(true);
  }
}

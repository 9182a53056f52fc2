import { Logger } from '@nestjs/common';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresNotification } from '../database/postgres-pool.js';
import type { PostgresSession } from '../database/postgres-session.js';
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
  #session: PostgresSession | undefined;
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
    return this.#session !== undefined;
  }

  /** Opens the connection, unless it is open. */
  open(): void {
    if (this.#isClosed || this.#session || this.#opening || this.#retry) return;
    this.#opening = this.#listen()
      .catch((error: unknown) => this.#tryLater(error))
      .finally(() => (this.#opening = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#opening;
    this.#session?.close();
    this.#session = undefined;
  }

  async #listen(): Promise<void> {
    const session = await this.database.connect(LISTENING, this.#lose);
    if (!session.isOwnSession || this.#isClosed) {
      session.giveBack();
      // Such a pool cannot receive notifications.
      this.#isClosed = true;
      return;
    }
    session.connection.on?.('notification', this.#receive);
    try {
      await session.query(LISTENING, `LISTEN ${quoted(this.channel)}`);
    } catch (error) {
      session.close();
      throw error;
    }
    this.#isWarned = false;
    // The server may have ended the session after its answer.
    if (session.isOver) this.#tryLater(undefined);
    else this.#session = session;
  }

  readonly #receive = ({ channel, payload }: PostgresNotification): void => {
    if (channel === this.channel && payload !== undefined) this.onNotification(payload);
  };

  readonly #lose = (): void => {
    if (this.#session) this.#tryLater(undefined);
    this.#session = undefined;
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
}

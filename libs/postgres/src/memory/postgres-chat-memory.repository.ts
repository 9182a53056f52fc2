import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ChatMemoryRepository, fromMessageJson, type Message, type MessageJson, toMessageJson } from '@nestor-ai/core';
import { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresException } from '../database/postgres.exception.js';
import { fromStored, toStoredId } from '../database/stored-text.js';
import { NO_REVISION, saveConversation } from './save-conversation.sql.js';

/** The number of ids that {@link PostgresChatMemoryRepository.findConversationIds} returns. */
const MOST_IDS = 10_000;

/** How often a save starts again because another one came first. Each time, another one has ended. */
const MOST_TRIES = 100;

const SAVING = 'store a conversation';
const READING = 'read a conversation';
const LISTING = 'list conversations';

/** The options of {@link PostgresChatMemoryRepository.listConversationIds}. */
export interface ConversationIdsOptions {
  /** Only ids after this one, in the order of the bytes. Default: from the first one. */
  readonly after?: string;
  /** The number of ids per statement. Default: 1,000. */
  readonly pageSize?: number;
}

/**
 * Stores conversations in PostgreSQL, for every replica. A message that stays in a conversation
 * keeps its row: each save is one statement that writes only what has changed.
 */
@Injectable()
export class PostgresChatMemoryRepository extends ChatMemoryRepository {
  readonly #logger = new Logger('PostgresChatMemoryRepository');
  readonly #save: string;

  constructor(private readonly database: PostgresDatabase) {
    super();
    this.#save = saveConversation(database.names);
  }

  /**
   * The ids of the 10,000 conversations that were used last, the least recently used one first. It
   * logs a warning if there are more: {@link listConversationIds} lists all.
   */
  override async findConversationIds(): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>(
      LISTING,
      `SELECT id FROM ${this.database.table('conversations')} ORDER BY used_at DESC LIMIT $1`,
      [MOST_IDS + 1],
    );
    if (rows.length > MOST_IDS) {
      this.#logger.warn(
        `There are more than ${MOST_IDS} conversations: findConversationIds() returns those that were used last. Use listConversationIds().`,
      );
    }
    return rows
      .slice(0, MOST_IDS)
      .map(({ id }) => fromStored(id))
      .reverse();
  }

  /** Lists all conversation ids, page by page, without keeping them in memory. */
  async *listConversationIds({ after, pageSize = 1000 }: ConversationIdsOptions = {}): AsyncGenerator<string> {
    let last = after === undefined ? '' : toStoredId(after, 'conversation id');
    for (;;) {
      const rows = await this.database.query<{ id: string }>(
        LISTING,
        `SELECT id FROM ${this.database.table('conversations')} WHERE id > $1 ORDER BY id LIMIT $2`,
        [last, pageSize],
      );
      for (const { id } of rows) yield fromStored(id);
      if (rows.length < pageSize) return;
      last = rows.at(-1)!.id;
    }
  }

  override async findByConversationId(conversationId: string): Promise<readonly Message[]> {
    const rows = await this.database.query<{ message: string }>(
      READING,
      `SELECT message::text AS message FROM ${this.database.table('messages')} WHERE conversation_id = $1 ORDER BY position`,
      [idOf(conversationId)],
    );
    return rows.map(({ message }) => toMessage(message));
  }

  /**
   * @throws RangeError when the id has more than 1,000 bytes
   * @throws PostgresException when the conversation cannot be stored; then it is unchanged
   */
  override async saveAll(conversationId: string, messages: readonly Message[]): Promise<void> {
    const id = idOf(conversationId);
    await repeat(async () => this.#write(id, messages, null));
  }

  /**
   * Stores the change only if the conversation has not changed since it was read, else reads again.
   *
   * @throws as {@link saveAll}
   */
  override async update(
    conversationId: string,
    change: (messages: readonly Message[]) => readonly Message[],
  ): Promise<void> {
    const id = idOf(conversationId);
    await repeat(async () => {
      const rows = await this.database.query<{ revision: string; message: string | null }>(
        READING,
        `SELECT revision, message::text AS message FROM ${this.database.table('conversations')} AS conversation
         LEFT JOIN ${this.database.table('messages')} ON conversation_id = conversation.id WHERE id = $1 ORDER BY position`,
        [id],
      );
      const known = rows.flatMap(({ message }) => (message === null ? [] : [toMessage(message)]));
      const changed = change(known);
      return changed === known || (await this.#write(id, changed, rows[0]?.revision ?? NO_REVISION));
    });
  }

  /** @returns whether no other writer came first */
  async #write(id: string, messages: readonly Message[], revision: string | null): Promise<boolean> {
    const stored = messages.map((message) => JSON.stringify(toMessageJson(message)));
    return (await this.database.query(SAVING, this.#save, [id, randomUUID(), stored, revision])).length > 0;
  }

  override async deleteByConversationId(conversationId: string): Promise<void> {
    await this.database.query(
      'delete a conversation',
      `DELETE FROM ${this.database.table('conversations')} WHERE id = $1`,
      [idOf(conversationId)],
    );
  }
}

async function repeat(write: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; tried < MOST_TRIES; tried++) if (await write()) return;
  throw new PostgresException(
    `Nestor could not ${SAVING}: ${MOST_TRIES} other writers came first. Let only one turn of a conversation run at a time.`,
  );
}

function toMessage(stored: string): Message {
  return fromMessageJson(JSON.parse(stored) as MessageJson);
}

/** @throws TypeError when the id is blank, as every repository does */
function idOf(conversationId: string): string {
  if (typeof conversationId !== 'string' || conversationId.trim() === '') {
    throw new TypeError('conversationId cannot be null or empty');
  }
  return toStoredId(conversationId, 'conversation id');
}

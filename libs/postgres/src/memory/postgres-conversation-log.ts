import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ConversationAppend,
  ConversationLog,
  type ConversationPage,
  type ConversationTurn,
  fromMessageJson,
  type Message,
  type MessageJson,
  toMessageJson,
} from '@nestor-ai/core';
import { checkOwner, requireOwner } from '@nestor-ai/core/internal';
import { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresException } from '../database/postgres.exception.js';
import { fromStored, toStoredId } from '../database/stored-text.js';
import { repeatWhenLost } from '../journal/repeat-when-lost.js';
import { type ConversationLogStatements, conversationLogStatements } from './conversation-log.statements.js';

/** How often an append starts again because another one came first. Each time, another one has ended. */
const MOST_TRIES = 100;

/** The ids of what earlier versions have stored, which had none. */
const EARLIER = /^earlier \d+$/;

const APPENDING = 'store a turn of a conversation';

interface MessageRow {
  readonly position: string;
  /** The position of the first message of the turn. Null in messages of earlier versions. */
  readonly turn_start: string | null;
  /** Only in the first message of a turn. */
  readonly turn_id: string | null;
  readonly pin: string | null;
  readonly message: string;
  /** In the newest page: whether earlier messages are pinned. */
  readonly hasPinned?: true | null;
  /** Whose conversation it is. */
  readonly owner?: string | null;
}

/**
 * Stores conversations in PostgreSQL, for every replica, and keeps all that was said. Each method
 * is one statement, and reading one more if an earlier turn is pinned. An append whose connection breaks
 * is repeated for about ten seconds: the conversation has the turn once.
 *
 * @publicApi
 */
@Injectable()
export class PostgresConversationLog extends ConversationLog {
  readonly #statements: ConversationLogStatements;

  constructor(private readonly database: PostgresDatabase) {
    super();
    this.#statements = conversationLogStatements(database.names);
  }

  /**
   * @throws RangeError when an id has more than 1,000 bytes
   * @throws PostgresException when the turn cannot be stored; then the conversation is unchanged
   */
  override async append(
    conversationId: string,
    turnId: string,
    messages: readonly Message[],
    { pin, after, by, signal }: ConversationAppend = {},
  ): Promise<void> {
    const subject = by?.subject;
    if (messages.length === 0 && subject === undefined) return;
    const id = idOf(conversationId);
    const turn = toStoredId(turnId, 'turn id');
    const stored = messages.map((message) => JSON.stringify(toMessageJson(message)));
    for (let tried = 0; tried < MOST_TRIES; tried++) {
      const [row] = await repeatWhenLost(async () => {
        signal?.throwIfAborted();
        return this.database.query<Appended>(APPENDING, this.#statements.append, [
          id,
          randomUUID(),
          turn,
          stored,
          pin === undefined ? null : toStoredId(pin, 'pin'),
          after === undefined || EARLIER.test(after) ? null : toStoredId(after, 'turn id'),
          subject === undefined ? null : toStoredId(subject, 'subject'),
          by !== undefined,
        ]);
      });
      const { isThere, owner, isDone, isAdded } = row!;
      if (isThere) checkOwner(ownerOf(owner), by);
      if (isDone || isAdded) return;
    }
    throw new PostgresException(
      `Nestor could not ${APPENDING}: ${MOST_TRIES} other writers came first. Let only one turn of a conversation run at a time.`,
    );
  }

  override async read(
    conversationId: string,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): Promise<ConversationPage> {
    const id = idOf(conversationId);
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
    const { newest, earlier, pinned: ofPins } = this.#statements;
    const rows = await (before !== undefined && before !== Infinity
      ? this.#read(earlier, [id, most, before])
      : this.#read(newest, [id, most]));
    const [first] = rows;
    const owner = ownerOf(first?.owner);
    const whose = owner === undefined ? {} : { owner };
    if (first?.position == null) return { turns: [], pinned: [], ...whose };
    const pinned = first.hasPinned ? await this.#read(ofPins, [id, first.position]) : [];
    return { turns: turnsOf(rows), pinned: turnsOf(pinned), ...whose };
  }

  async #read(statement: string, values: readonly unknown[]): Promise<readonly MessageRow[]> {
    return this.database.query<MessageRow>('read a conversation', statement, values);
  }

  /** Lists ids in the order of their bytes. */
  override async list({ after, limit = 1000, owner }: { after?: string; limit?: number; owner?: string } = {}): Promise<
    readonly string[]
  > {
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
    const page = [after === undefined ? '' : toStoredId(after, 'conversation id'), most];
    const { list, owned } = this.#statements;
    const [statement, values] = owner === undefined ? [list, page] : [owned, [...page, toStoredId(owner, 'subject')]];
    const rows = await this.database.query<{ id: string }>('list conversations', statement, values);
    return rows.map(({ id }) => fromStored(id));
  }

  override async adopt(conversationId: string, owner: string): Promise<void> {
    const values = [idOf(conversationId), randomUUID(), toStoredId(requireOwner(owner), 'subject')];
    const [row] = await this.database.query<{ owner: string }>('adopt a conversation', this.#statements.adopt, values);
    checkOwner(ownerOf(row!.owner), { subject: owner });
  }

  override async delete(conversationId: string): Promise<void> {
    await this.database.query('delete a conversation', this.#statements.delete, [idOf(conversationId)]);
  }
}

/** What an append has found and done. */
interface Appended {
  readonly isThere: boolean;
  readonly owner: string | null;
  readonly isDone: boolean;
  readonly isAdded: boolean;
}

function ownerOf(stored: string | null | undefined): string | undefined {
  return stored == null ? undefined : fromStored(stored);
}

/** Earlier versions have stored no turns: their messages are one. */
function turnsOf(rows: readonly MessageRow[]): readonly ConversationTurn[] {
  const turns: (ConversationTurn & { messages: Message[] })[] = [];
  for (const [at, { position, turn_start, turn_id, pin, message }] of rows.entries()) {
    if (at === 0 || turn_start !== rows[at - 1]!.turn_start) {
      const id = fromStored(turn_id ?? `earlier ${position}`);
      turns.push({ id, position: Number(position), messages: [], ...(pin !== null && { pin: fromStored(pin) }) });
    }
    turns.at(-1)!.messages.push(fromMessageJson(JSON.parse(message) as MessageJson));
  }
  return turns;
}

/** @throws TypeError when the id is blank, as every log does */
function idOf(conversationId: string): string {
  if (typeof conversationId !== 'string' || conversationId.trim() === '') {
    throw new TypeError('conversationId cannot be null or empty');
  }
  return toStoredId(conversationId, 'conversation id');
}

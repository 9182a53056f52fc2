import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ConversationHold, ConversationLocks, type ConversationWait } from '@nestor-ai/core';
import { PostgresDatabase } from '../database/postgres-database.js';
import { repeatWhenLost } from '../journal/repeat-when-lost.js';
import { LockSession } from './lock-session.js';
import { lockKey } from './lock-key.js';

/** The most connections that wait for conversations, or hold those that they waited for. */
const MAX_WAITING = 4;

/** The connections of a pool that never wait: for the free conversations, and for `LISTEN`. */
const KEPT = 2;

/** After how long a turn asks again, in milliseconds. */
const RETRY = 100;

/**
 * Locks conversations with advisory locks of PostgreSQL. A process keeps one connection for the
 * conversations that are free. A turn that has to wait asks a second time over it, and then takes a
 * connection of its own from the pool: the server lets the waiting turns of all processes in one
 * after the other, in order. After half a minute, a turn asks again, behind the others. At most four
 * turns of a process wait this way, and fewer with a pool of less than ten connections, since the
 * running turns need connections, too. Further ones ask ten times a second.
 *
 * A lock ends with its connection. So a process that dies gives its conversations back at once, and
 * a turn whose connection breaks is aborted. The server ends the connection of a process that stands
 * still, or whose machine has vanished, after 35 seconds. Connections must lead to the server
 * itself, or to a PgBouncer in session mode.
 *
 * @publicApi
 */
@Injectable()
export class PostgresConversationLocks extends ConversationLocks implements OnApplicationShutdown {
  #shared: Promise<LockSession> | undefined;
  #waiting = 0;
  readonly #maxWaiting: number;

  constructor(private readonly database: PostgresDatabase) {
    super();
    const { maxConnections = Number.POSITIVE_INFINITY } = database;
    this.#maxWaiting = Math.min(MAX_WAITING, Math.floor((maxConnections - KEPT) / 2));
  }

  async acquire(conversationId: string, wait: ConversationWait): Promise<ConversationHold> {
    const key = lockKey(this.database.table('conversations'), conversationId);
    const { signal } = wait;
    for (let asked = 0; ; asked++) {
      const hold = await repeatWhenLost(async () => this.#ask(key, wait));
      if (hold) return hold;
      // Most turns that must not wait are told so before they ask a second time.
      const waited = asked > 0 && this.#waiting < this.#maxWaiting ? await this.#waitFor(key, wait) : undefined;
      if (waited) return waited;
      await sleep(RETRY, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async #ask(key: bigint, { signal, onLost }: ConversationWait): Promise<ConversationHold | undefined> {
    signal.throwIfAborted();
    const shared = await this.#sharedSession();
    signal.throwIfAborted();
    return (await shared.tryLock(key, onLost)) ? shared.holdOf(key) : undefined;
  }

  /** @returns undefined if the turn has to ask again: then it hears what is wrong, if anything is */
  async #waitFor(key: bigint, { signal, onLost }: ConversationWait): Promise<ConversationHold | undefined> {
    this.#waiting++;
    const end = (): void => void this.#waiting--;
    const session = await LockSession.open(this.database).catch(() => undefined);
    let cancelling: Promise<void> | undefined;
    const cancel = (): void => void (cancelling = session?.cancel());
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const isLocked = await session?.lock(key, this.database.times.wait, onLost).catch(() => false);
    signal.removeEventListener('abort', cancel);
    if (session && isLocked && !cancelling) return holdOver(session, key, end);
    session?.close();
    // The place is taken as long as the session is there.
    void Promise.resolve(cancelling).then(end);
    signal.throwIfAborted();
    return undefined;
  }

  /** Ends the connection. No turn holds a lock any more. */
  async onApplicationShutdown(): Promise<void> {
    const shared = await this.#shared?.catch(() => undefined);
    shared?.close();
  }

  /** A connection that breaks is replaced at the next request. */
  #sharedSession(): Promise<LockSession> {
    if (this.#shared) return this.#shared;
    const forget = (): void => {
      if (this.#shared === opening) this.#shared = undefined;
    };
    const opening = LockSession.open(this.database, forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    this.#shared = opening;
    return opening;
  }
}

/** A hold that ends the session with which the turn has waited. */
function holdOver(session: LockSession, key: bigint, onEnd: () => void): ConversationHold {
  const hold = session.holdOf(key);
  let isReleased = false;
  return {
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      await hold.release();
      session.close();
      onEnd();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ConversationHold, ConversationLocks, type ConversationWait } from '@nestor-ai/core';
import { SharedRedis } from '../redis/shared-redis.js';
import { ASK, LEAVE } from './lock-scripts.js';
import { RedisConversationHold, type RedisLock } from './redis-conversation-hold.js';

/** How often a turn asks for a conversation that another process holds, in milliseconds. */
const POLL = 100;

/** Completes "Nestor could not …" in an error. */
const LOCKING = 'lock a conversation';

/**
 * Locks conversations in Redis. Turns get a conversation in the order in which they asked for it.
 *
 * A turn holds a conversation for ten seconds, and renews that as long as it runs. If its process
 * dies, the next turn follows after that time. If the lock is lost, such as when Redis is away for
 * that long or loses its data, the turn is aborted. For a moment, two turns may then run at once: if
 * that must not happen, use `PostgresConversationLocks`, whose locks end with their connection.
 *
 * @publicApi
 */
@Injectable()
export class RedisConversationLocks extends ConversationLocks implements OnApplicationShutdown {
  readonly #holds = new Set<RedisConversationHold>();
  /** How long a conversation is held without a renewal, in milliseconds. */
  protected readonly lease: number = 10_000;

  constructor(private readonly redis: SharedRedis) {
    super();
  }

  async acquire(conversationId: string, { signal, onLost }: ConversationWait): Promise<ConversationHold> {
    signal.throwIfAborted();
    const { redis, lease } = this;
    const lock: RedisLock = { keys: this.#keysOf(conversationId), token: randomUUID(), lease };
    const { keys, token } = lock;
    // Half of the lease, so that a turn whose process dies while it waits does not delay the next
    // one by more than a turn that holds the conversation.
    const silence = lease / 2;
    try {
      for (;;) {
        const since = performance.now();
        const isHeld = Number(await redis.run(LOCKING, ASK, keys, [token, lease, silence])) === 1;
        signal.throwIfAborted();
        if (isHeld) return this.#hold(lock, since, onLost);
        await sleep(POLL, undefined, { signal });
      }
    } catch (error) {
      // The answer may be lost, and not the lock. Without Redis, the place in the line ends by
      // itself.
      await redis.run(LOCKING, LEAVE, keys, [token]).catch(() => undefined);
      throw signal.aborted ? signal.reason : error;
    }
  }

  /** Turns that still run lose their conversations when their leases end. */
  onApplicationShutdown(): void {
    for (const hold of this.#holds) hold.stop();
  }

  #hold(lock: RedisLock, since: number, onLost: (error: Error) => void): ConversationHold {
    const hold = new RedisConversationHold(this.redis, lock, since, onLost, () => this.#holds.delete(hold));
    this.#holds.add(hold);
    return hold;
  }

  #keysOf(conversationId: string): RedisLock['keys'] {
    const key = (part: string): string => this.redis.key(`conversation-${part}`, conversationId);
    return [key('holder'), key('line'), key('silence')];
  }
}

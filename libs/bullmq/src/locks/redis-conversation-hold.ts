import { Logger } from '@nestjs/common';
import type { ConversationHold } from '@nestor-ai/core';
import { RedisException } from '../redis/redis.exception.js';
import type { SharedRedis } from '../redis/shared-redis.js';
import { LEAVE, RENEW } from './lock-scripts.js';

/** How often a lease is renewed before it would end. */
const RENEWALS = 5;

const logger = new Logger('BullAiModule');

/** The lock of one turn. */
export interface RedisLock {
  /** The keys of the conversation. */
  readonly keys: readonly [holder: string, line: string, silence: string];
  /** Tells the turn from all others. */
  readonly token: string;
  /** In milliseconds. */
  readonly lease: number;
}

/** A conversation that a turn of this process holds. It renews its lease until it is released. */
export class RedisConversationHold implements ConversationHold {
  readonly #timer: NodeJS.Timeout;
  /** Until when no other process can have the conversation, in the time of `performance.now()`. */
  #end: number;
  #isRenewing = false;
  #isOver = false;

  /**
   * @param since when the lease was asked for, in the time of `performance.now()`
   * @param onLost called if the lease could not be renewed
   * @param onEnd called when the conversation is no longer held
   */
  constructor(
    private readonly redis: SharedRedis,
    private readonly lock: RedisLock,
    since: number,
    private readonly onLost: (error: Error) => void,
    private readonly onEnd: (hold: RedisConversationHold) => void,
  ) {
    this.#end = since + lock.lease;
    this.#timer = setInterval(() => void this.#renew(), lock.lease / RENEWALS).unref();
  }

  async release(): Promise<void> {
    if (!this.stop()) return;
    const { keys, token } = this.lock;
    try {
      await this.redis.run('release a conversation', LEAVE, keys, [token]);
    } catch (error) {
      const message = error instanceof Error ? error.message : 'A conversation could not be released.';
      logger.warn(`${message} The conversation is free when its lease ends.`);
    }
  }

  /** Stops to renew the lease. @returns false if that was done before */
  stop(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.onEnd(this);
    return true;
  }

  async #renew(): Promise<void> {
    const { keys, token, lease } = this.lock;
    // The turn must end before another process can have the conversation.
    if (performance.now() >= this.#end - lease / RENEWALS) return this.#lose();
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const since = performance.now();
    try {
      const isHeld = await this.redis.run('keep a conversation', RENEW, keys.slice(0, 1), [token, lease]);
      if (Number(isHeld) === 1) this.#end = since + lease;
      else this.#lose();
    } catch {
      // The next renewal may succeed.
    } finally {
      this.#isRenewing = false;
    }
  }

  #lose(): void {
    if (!this.stop()) return;
    this.onLost(
      new RedisException(
        'The turn was aborted, since its lock of the conversation in Redis was lost: Redis was away for too long, has lost its ' +
          'data, or this process did not respond. Another process may hold the conversation now. Repeat the request.',
      ),
    );
  }
}

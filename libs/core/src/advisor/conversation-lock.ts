import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChatMemory } from '../memory/chat-memory.js';
import { SerialQueue } from '../model/serial-queue.js';
import type { Abortable } from '../model/stream-of.js';
import { MAX_TIMEOUT } from '../tool/check-timeout.js';
import { ConversationLockTimeoutException } from './conversation-lock-timeout.exception.js';

/** How long a turn waits for its conversation, in milliseconds. */
export const DEFAULT_LOCK_TIMEOUT = 300_000;

/** The conversations of a memory that somebody has or waits for. */
class Conversations {
  readonly queue = new SerialQueue();
  /** How many have a conversation or wait for it. */
  readonly visitors = new Map<string, number>();

  count(conversationId: string, change: 1 | -1): number {
    const count = (this.visitors.get(conversationId) ?? 0) + change;
    if (count === 0) this.visitors.delete(conversationId);
    else this.visitors.set(conversationId, count);
    return count;
  }
}

/** The conversations of each memory, whichever advisor works with it. */
const conversations = new WeakMap<ChatMemory, Conversations>();

/** The locks of the turns around the running code. */
const lockedAround = new AsyncLocalStorage<readonly ConversationLock[]>();

/** Lets the turns of a conversation run one after the other. Each turn has a lock of its own. */
export class ConversationLock {
  #isReleased = false;

  /** @param timeout how long {@link enter} waits, in milliseconds; Infinity for as long as it takes */
  constructor(
    private readonly memory: ChatMemory,
    private readonly conversationId: string,
    private readonly timeout = DEFAULT_LOCK_TIMEOUT,
  ) {}

  /**
   * Waits for the turns that came before. A turn does not wait for one that it runs inside of, such as that of a tool that asks in
   * its own conversation.
   *
   * @param until ends the wait when it is aborted
   * @returns releases the lock; may be called more than once
   * @throws ConversationLockTimeoutException when it takes too long, or the reason of the abort
   */
  async enter(until: Abortable | undefined): Promise<() => void> {
    const { memory, conversationId } = this;
    const isInside = lockedAround
      .getStore()
      ?.some((other) => !other.#isReleased && other.memory === memory && other.conversationId === conversationId);
    const leave = isInside ? undefined : await this.#visit(until);
    return () => {
      this.#isReleased = true;
      leave?.();
    };
  }

  /** Runs something as part of the turn. */
  within<T>(run: () => T): T {
    const held = (lockedAround.getStore() ?? []).filter((lock) => !lock.#isReleased);
    return lockedAround.run([...held, this], run);
  }

  async #visit(until: Abortable | undefined): Promise<() => void> {
    const { memory, conversationId } = this;
    let known = conversations.get(memory);
    if (!known) conversations.set(memory, (known = new Conversations()));
    const { queue } = known;
    const isFree = known.count(conversationId, 1) === 1;
    let hasLeft = false;
    const forget = (): void => {
      if (!hasLeft) known.count(conversationId, -1);
      hasLeft = true;
    };
    try {
      const leave = await (isFree ? queue.enter(conversationId) : this.#wait(queue, until));
      return () => {
        forget();
        leave();
      };
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #wait(queue: SerialQueue, until: Abortable | undefined): Promise<() => void> {
    const { conversationId, timeout } = this;
    const waiting = new AbortController();
    const stopListening = until?.onAbort((reason) => waiting.abort(reason));
    const timer =
      timeout === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => waiting.abort(new ConversationLockTimeoutException(conversationId, timeout)), timeout);
    try {
      return await queue.enter(conversationId, waiting.signal);
    } finally {
      clearTimeout(timer);
      stopListening?.();
    }
  }
}

/**
 * The time that a turn waits for its conversation.
 *
 * @param timeout in milliseconds; Infinity for as long as it takes
 * @throws RangeError unless a timer can wait that long
 */
export function lockTimeoutOf(timeout: number): number {
  if (timeout === Number.POSITIVE_INFINITY || (timeout > 0 && timeout <= MAX_TIMEOUT)) return timeout;
  throw new RangeError(
    `lockTimeout must be a number of milliseconds between 1 and ${MAX_TIMEOUT}, or Infinity for no limit, but is ${timeout}.`,
  );
}

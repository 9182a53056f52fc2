import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConversationLocks } from '../memory/conversation-locks.js';
import type { ChatMemory } from '../memory/chat-memory.js';
import type { Speaker } from '../memory/conversation-owner.exception.js';
import { remembered } from '../model/remembered.js';
import { serviceKey } from '../model/request-services.js';
import { SerialQueue } from '../model/serial-queue.js';
import type { Abortable } from '../model/stream-of.js';
import { ConversationBusyException } from './conversation-busy.exception.js';
import { ConversationLockTimeoutException } from './conversation-lock-timeout.exception.js';

/** How long a turn waits for the previous turn of its conversation, in milliseconds. */
export const DEFAULT_LOCK_TIMEOUT = 300_000;

/** The same for an application. Memory advisors may override it. */
export const LOCK_TIMEOUT = serviceKey<number>('conversationLockTimeout');

/**
 * How long a turn that may not wait asks for a conversation of all processes, in milliseconds: even
 * a free one takes a moment.
 */
const MOMENT = 100;

/** The conversations of a memory that turns hold or wait for. */
class Conversations {
  readonly queue = new SerialQueue();
  /** The number of turns that hold or wait for each conversation. */
  readonly visitors = new Map<string, number>();

  count(conversationId: string, change: 1 | -1): number {
    const count = (this.visitors.get(conversationId) ?? 0) + change;
    if (count === 0) this.visitors.delete(conversationId);
    else this.visitors.set(conversationId, count);
    return count;
  }
}

/** The conversations of each memory, shared by all advisors that use it. */
const conversationsOf = remembered((_memory: ChatMemory) => new Conversations());

/** The turns of this process that wait for the locks of all processes, or hold them. */
const sharedQueueOf = remembered((_locks: ConversationLocks) => new SerialQueue());

/** The locks of the turns around the running code. */
const lockedAround = new AsyncLocalStorage<readonly ConversationLock[]>();

/** The locks that processes share, and what happens when one is lost. */
export interface SharedLocks {
  readonly locks: ConversationLocks;
  /** Aborts the turn. */
  readonly onLost: (error: Error) => void;
}

/** Makes the turns of a conversation run one after the other. Each turn has its own lock. */
export class ConversationLock {
  #isReleased = false;
  #lost: Error | undefined;
  /** The turn around this one, if that holds the conversation for all processes. */
  #holder: ConversationLock | undefined;

  /**
   * @param timeout how long {@link enter} waits, in milliseconds; Infinity for no limit
   * @param shared the locks that all processes share
   * @param startWait called when the turn may have to wait. Undefined: it waits. It returns what ends
   *   the wait; without that, the turn does not wait
   * @param by who speaks in the turn. A request without a user, inside the turn of one, speaks for them:
   *   after {@link enter}, `by` says so
   */
  constructor(
    private readonly memory: ChatMemory,
    private readonly conversationId: string,
    private readonly timeout = DEFAULT_LOCK_TIMEOUT,
    private readonly shared?: SharedLocks,
    private readonly startWait?: (conversationId: string) => (() => void) | undefined,
    public by?: Speaker,
  ) {}

  /** @throws Error if the lock was lost, so that another process may hold the conversation */
  throwIfLost(): void {
    if (this.#lost) throw this.#lost;
    this.#holder?.throwIfLost();
  }

  /**
   * Waits for the earlier turns of the conversation. A turn does not wait for a turn that it runs
   * inside, such as when a tool sends a request in its own conversation.
   *
   * @param until ends the wait when it is aborted
   * @returns a function that releases the lock; you may call it more than once
   * @throws ConversationLockTimeoutException if the wait is too long; ConversationBusyException if
   *   the turn must not wait; the abort reason if it is aborted
   */
  async enter(until: Abortable | undefined): Promise<() => void> {
    const { memory, conversationId } = this;
    const around = lockedAround
      .getStore()
      ?.filter((other) => !other.#isReleased && other.conversationId === conversationId);
    const isInside = around?.some((other) => other.memory === memory);
    const outer = around?.at(-1)?.by;
    if (outer && this.by?.subject === undefined) this.by = outer;
    this.#holder = around?.find((other) => other.shared && other.shared.locks === this.shared?.locks);
    const leave = isInside ? undefined : await this.#visit(until);
    return () => {
      this.#isReleased = true;
      leave?.();
    };
  }

  /** Runs a function as part of the turn. */
  within<T>(run: () => T): T {
    const held = (lockedAround.getStore() ?? []).filter((lock) => !lock.#isReleased);
    return lockedAround.run([...held, this], run);
  }

  async #visit(until: Abortable | undefined): Promise<() => void> {
    const { memory, conversationId } = this;
    const known = conversationsOf(memory);
    const { queue } = known;
    const isFree = known.count(conversationId, 1) === 1;
    let hasLeft = false;
    const forget = (): void => {
      if (!hasLeft) known.count(conversationId, -1);
      hasLeft = true;
    };
    try {
      const leave = await (isFree && !this.shared ? queue.enter(conversationId) : this.#wait(queue, until, isFree));
      return () => {
        forget();
        leave();
      };
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #wait(queue: SerialQueue, until: Abortable | undefined, isFree: boolean): Promise<() => void> {
    const { conversationId, timeout } = this;
    const waiting = new AbortController();
    const stopListening = until?.onAbort((reason) => waiting.abort(reason));
    const timer =
      timeout === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => waiting.abort(new ConversationLockTimeoutException(conversationId, timeout)), timeout);
    const endWait = this.#askToWait(waiting, isFree);
    try {
      // First the lock of all processes, since a turn inside the one that holds it may use this memory.
      const leaveShared =
        this.shared && !this.#holder ? await this.#enterShared(this.shared, waiting.signal) : undefined;
      try {
        const leave = await queue.enter(conversationId, waiting.signal);
        return () => {
          leave();
          leaveShared?.();
        };
      } catch (error) {
        leaveShared?.();
        throw error;
      }
    } finally {
      clearTimeout(timer);
      endWait?.();
      stopListening?.();
    }
  }

  /**
   * @param isFree whether no other turn of this process has the conversation, with this memory
   * @returns ends the wait
   */
  #askToWait(waiting: AbortController, isFree: boolean): (() => void) | undefined {
    const { conversationId, startWait } = this;
    if (!startWait) return undefined;
    // At once, also if it may be free: else a turn behind this one could take the place to wait.
    let end = startWait(conversationId);
    const refuse = (): void => waiting.abort(new ConversationBusyException(conversationId));
    if (!end && !isFree) refuse();
    const ask = (): void => {
      end = startWait(conversationId);
      if (!end) refuse();
    };
    const timer = !end && isFree ? setTimeout(ask, MOMENT) : undefined;
    return () => {
      clearTimeout(timer);
      end?.();
    };
  }

  /**
   * The turns of this process ask for the lock one after the other, whatever their memories are. The
   * next one follows when the lock is released.
   */
  async #enterShared({ locks, onLost }: SharedLocks, signal: AbortSignal): Promise<() => void> {
    const leave = await sharedQueueOf(locks).enter(this.conversationId, signal);
    const lose = (error: Error): void => {
      if (this.#isReleased) return;
      this.#lost = error;
      onLost(error);
    };
    try {
      const hold = await locks.acquire(this.conversationId, { signal, onLost: lose });
      return () => void hold.release().then(leave, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }
}

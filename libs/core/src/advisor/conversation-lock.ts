import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChatMemory } from '../memory/chat-memory.js';
import { SerialQueue } from '../model/serial-queue.js';

/** The conversations of each memory, whichever advisor works with it. */
const queues = new WeakMap<ChatMemory, SerialQueue>();

/** The locks of the turns around the running code. */
const lockedAround = new AsyncLocalStorage<readonly ConversationLock[]>();

/** Lets the turns of a conversation run one after the other. Each turn has a lock of its own. */
export class ConversationLock {
  #isReleased = false;

  constructor(
    private readonly memory: ChatMemory,
    private readonly conversationId: string,
  ) {}

  /**
   * Waits for the turns that came before. A turn does not wait for one that it runs inside of, such as that of a tool that asks in
   * its own conversation.
   *
   * @param signal ends the wait
   * @returns releases the lock; may be called more than once
   * @throws the reason of the abort
   */
  async enter(signal: AbortSignal | undefined): Promise<() => void> {
    const { memory, conversationId } = this;
    const isInside = lockedAround
      .getStore()
      ?.some((other) => !other.#isReleased && other.memory === memory && other.conversationId === conversationId);
    let queue = queues.get(memory);
    if (!queue) queues.set(memory, (queue = new SerialQueue()));
    const leave = isInside ? undefined : await queue.enter(conversationId, signal);
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
}

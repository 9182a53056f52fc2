import { Logger } from '@nestjs/common';
import type { LRUCache } from 'lru-cache';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { boundedCache } from '../model/bounded-cache.js';
import { type Message, toMessage } from '../model/messages.js';
import { requireConversationId } from './chat-memory.js';

const logger = new Logger('ChatMemory');

/**
 * Stores conversations. Extend it for a database; `toMessageJson()` and `fromMessageJson()` help
 * you convert messages.
 */
export abstract class ChatMemoryRepository {
  /** The ids of all conversations. */
  abstract findConversationIds(): Awaitable<readonly string[]>;

  /** The messages of a conversation, oldest first. Empty for an unknown conversation. */
  abstract findByConversationId(conversationId: string): Awaitable<readonly Message[]>;

  /** Stores a conversation, replacing its previous messages. */
  abstract saveAll(conversationId: string, messages: readonly Message[]): Awaitable<void>;

  /** Deletes a conversation. */
  abstract deleteByConversationId(conversationId: string): Awaitable<void>;

  /**
   * Reads a conversation and stores what a function makes of its messages. By default, it calls
   * `findByConversationId()` and `saveAll()`. If other processes write to the same store, override it:
   * when another one has written in between, write nothing and start again.
   *
   * @param change returns the messages to store, or the given array to store nothing. It may be called
   *   several times; what it throws ends the update
   */
  update(conversationId: string, change: (messages: readonly Message[]) => readonly Message[]): Awaitable<void> {
    const store = (known: readonly Message[]): Awaitable<void> => {
      const changed = change(known);
      return changed === known ? undefined : this.saveAll(conversationId, changed);
    };
    const known = this.findByConversationId(conversationId);
    return isPromise(known) ? known.then(store) : store(known);
  }
}

/** The options of {@link InMemoryChatMemoryRepository}. */
export interface InMemoryChatMemoryRepositoryOptions {
  /**
   * The maximum number of conversations. Above it, the least recently used one is deleted.
   * Default: 10,000.
   */
  maxConversations?: number;
}

const DEFAULT_MAX_CONVERSATIONS = 10_000;

/** Keeps conversations in memory, up to a maximum number. */
export class InMemoryChatMemoryRepository extends ChatMemoryRepository {
  readonly #conversations: LRUCache<string, readonly Message[]>;
  #hasWarned = false;

  /** @throws RangeError when maxConversations is not a whole number greater than 0 */
  constructor({ maxConversations = DEFAULT_MAX_CONVERSATIONS }: InMemoryChatMemoryRepositoryOptions = {}) {
    super();
    if (!Number.isInteger(maxConversations) || maxConversations < 1) {
      throw new RangeError(`maxConversations must be a whole number greater than 0, but is ${maxConversations}.`);
    }
    this.#conversations = boundedCache(maxConversations, {
      dispose: (_messages, _id, reason) => {
        if (reason === 'evict') this.#warnOnce(maxConversations);
      },
    });
  }

  /** The least recently used conversation comes first. */
  findConversationIds(): readonly string[] {
    return [...this.#conversations.rkeys()];
  }

  findByConversationId(conversationId: string): readonly Message[] {
    return this.#conversations.get(requireConversationId(conversationId)) ?? [];
  }

  saveAll(conversationId: string, messages: readonly Message[]): void {
    const id = requireConversationId(conversationId);
    this.#conversations.set(id, Object.freeze(messages.map(toMessage)));
  }

  deleteByConversationId(conversationId: string): void {
    this.#conversations.delete(requireConversationId(conversationId));
  }

  #warnOnce(maxConversations: number): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    logger.warn(
      `InMemoryChatMemoryRepository is full: it has ${maxConversations} conversations. Each new one now replaces the least recently used one. ` +
        'Raise maxConversations, or store conversations in a database: extend ChatMemoryRepository and provide it in AiModule.',
    );
  }
}

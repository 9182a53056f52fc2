import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../model/awaitable.js';
import { type Message, toMessage } from '../model/messages.js';
import { requireConversationId } from './chat-memory.js';

const logger = new Logger('ChatMemory');

/** Where conversations are stored. Extend it for a database; `toMessageJson()` and `fromMessageJson()` help. */
export abstract class ChatMemoryRepository {
  /** The ids of all conversations. */
  abstract findConversationIds(): Awaitable<readonly string[]>;

  /** The messages of a conversation, oldest first; none for one that is not known. */
  abstract findByConversationId(conversationId: string): Awaitable<readonly Message[]>;

  /** Stores a conversation in the place of what was stored of it. */
  abstract saveAll(conversationId: string, messages: readonly Message[]): Awaitable<void>;

  /** Forgets a conversation. */
  abstract deleteByConversationId(conversationId: string): Awaitable<void>;
}

/** The options of {@link InMemoryChatMemoryRepository}. */
export interface InMemoryChatMemoryRepositoryOptions {
  /** How many conversations are kept; the one that was used least recently goes first. Default: 10,000. */
  maxConversations?: number;
}

const DEFAULT_MAX_CONVERSATIONS = 10_000;

/** Keeps conversations as long as the process runs, and no more of them than it may. */
export class InMemoryChatMemoryRepository extends ChatMemoryRepository {
  readonly #conversations: LRUCache<string, readonly Message[]>;
  #hasWarned = false;

  /** @throws RangeError when maxConversations is not a positive whole number */
  constructor({ maxConversations = DEFAULT_MAX_CONVERSATIONS }: InMemoryChatMemoryRepositoryOptions = {}) {
    super();
    if (!Number.isInteger(maxConversations) || maxConversations < 1) {
      throw new RangeError(`maxConversations must be a whole number greater than 0, but is ${maxConversations}.`);
    }
    this.#conversations = new LRUCache({
      max: maxConversations,
      dispose: (_messages, _id, reason) => {
        if (reason === 'evict') this.#warnOnce(maxConversations);
      },
    });
  }

  /** Least recently used first. */
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
      `InMemoryChatMemoryRepository has its ${maxConversations} conversations: from now on, the one that was used least recently is forgotten ` +
        'for each new one. Raise maxConversations, or keep conversations in a database: extend ChatMemoryRepository and provide yours to AiModule.',
    );
  }
}

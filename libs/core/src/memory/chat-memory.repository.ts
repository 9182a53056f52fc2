import type { Awaitable } from '../model/awaitable.js';
import { type Message, toMessage } from '../model/messages.js';
import { requireConversationId } from './chat-memory.js';

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

/** Keeps conversations as long as the process runs. */
export class InMemoryChatMemoryRepository extends ChatMemoryRepository {
  readonly #conversations = new Map<string, readonly Message[]>();

  findConversationIds(): readonly string[] {
    return [...this.#conversations.keys()];
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
}

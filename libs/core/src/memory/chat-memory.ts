import type { Awaitable } from '../model/awaitable.js';
import type { Message, MessageInput } from '../model/messages.js';

/**
 * The memory of conversations. Extend it to decide what is kept. It is also the injection token.
 */
export abstract class ChatMemory {
  /** The key in the advisor context under which a request names its conversation. */
  static readonly CONVERSATION_ID = 'chat_memory_conversation_id';

  /**
   * Adds messages to the end of a conversation.
   *
   * @param signal aborted when the caller no longer waits; do not write anything after that
   */
  abstract add(
    conversationId: string,
    messages: MessageInput | readonly MessageInput[],
    signal?: AbortSignal,
  ): Awaitable<void>;

  /** The messages of a conversation, oldest first. Empty for an unknown conversation. */
  abstract get(conversationId: string): Awaitable<readonly Message[]>;

  /** Deletes a conversation. */
  abstract clear(conversationId: string): Awaitable<void>;
}

/** @throws TypeError unless the id is a string that is not blank */
export function requireConversationId(conversationId: unknown): string {
  if (typeof conversationId === 'string' && conversationId.trim() !== '') return conversationId;
  throw new TypeError('conversationId cannot be null or empty');
}

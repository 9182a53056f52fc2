import type { Awaitable } from '../model/awaitable.js';
import type { Message, MessageInput } from '../model/messages.js';

/** What a conversation remembers. Extend it to decide what is kept; it is also the injection token. */
export abstract class ChatMemory {
  /** The key of the advisor context under which a request names its conversation. */
  static readonly CONVERSATION_ID = 'chat_memory_conversation_id';

  /**
   * Adds messages to the end of a conversation.
   *
   * @param signal aborted when nobody waits any more: what is not written by then is not to be written
   */
  abstract add(
    conversationId: string,
    messages: MessageInput | readonly MessageInput[],
    signal?: AbortSignal,
  ): Awaitable<void>;

  /** The messages of a conversation, oldest first; none for one that is not known. */
  abstract get(conversationId: string): Awaitable<readonly Message[]>;

  /** Forgets a conversation. */
  abstract clear(conversationId: string): Awaitable<void>;
}

/** @throws TypeError unless there is some text */
export function requireConversationId(conversationId: unknown): string {
  if (typeof conversationId === 'string' && conversationId.trim() !== '') return conversationId;
  throw new TypeError('conversationId cannot be null or empty');
}

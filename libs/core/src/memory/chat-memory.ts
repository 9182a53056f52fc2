import type { Awaitable } from '../model/awaitable.js';
import type { Message, MessageInput } from '../model/messages.js';
import type { Speaker } from './conversation-owner.exception.js';

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
   * @param by who has said it. A new conversation belongs to this subject from then on. Without it, the
   *   application has said it, which may extend every conversation
   * @throws ConversationOwnerException if the conversation does not belong to the subject
   */
  abstract add(
    conversationId: string,
    messages: MessageInput | readonly MessageInput[],
    signal?: AbortSignal,
    by?: Speaker,
  ): Awaitable<void>;

  /**
   * The messages of a conversation, oldest first. Empty for an unknown conversation.
   *
   * @param by who reads. Without it, the application reads, which may read every conversation
   * @throws ConversationOwnerException if the conversation does not belong to the subject
   */
  abstract get(conversationId: string, by?: Speaker): Awaitable<readonly Message[]>;

  /**
   * Gives a conversation that has no messages yet to a subject, since its first turn waits for an approval.
   * Optional: without it, another user may begin the conversation meanwhile.
   */
  reserve?(conversationId: string, by: Speaker): Awaitable<void>;

  /** Deletes a conversation. */
  abstract clear(conversationId: string): Awaitable<void>;
}

/** A request names no conversation, such as with an empty id that a browser has sent. It gets 400. */
export class ConversationIdException extends TypeError {}

/** Databases index ids. The longest in bytes, as JSON: signs that a database cannot store are escaped. */
const LONGEST_ID = 1000;
const LEAST_CHARACTERS = 100;

/** @throws ConversationIdException unless the id is a string that is not blank, and no longer than databases index */
export function requireConversationId(id: unknown): string {
  if (typeof id !== 'string' || id.trim() === '')
    throw new ConversationIdException('conversationId cannot be null or empty: pass the text of a conversation.');
  if (id.length > LEAST_CHARACTERS && Buffer.byteLength(JSON.stringify(id)) > LONGEST_ID)
    throw new ConversationIdException(`conversationId is longer than ${LONGEST_ID} bytes. Use a hash of it.`);
  return id;
}

import { serviceKey } from '../model/request-services.js';

/** The locks that processes share. */
export const CONVERSATION_LOCKS = serviceKey<ConversationLocks>('ConversationLocks');

/** A conversation that one turn holds. */
export interface ConversationHold {
  /** Lets the next turn have the conversation. Must not throw. */
  release(): Promise<void>;
}

/** How a turn waits for its conversation. */
export interface ConversationWait {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Call it if the lock is lost while the turn holds it. The turn is aborted then. */
  readonly onLost: (error: Error) => void;
}

/**
 * Makes the turns of a conversation run one after the other in all processes. Provide one in
 * `AiModule`, such as `PostgresConversationLocks` or `RedisConversationLocks`. Without one, only the
 * turns of the same process wait for each other. It is also the injection token.
 *
 * A process asks for one conversation once at a time: its own turns wait in order before that.
 */
export abstract class ConversationLocks {
  /**
   * Waits until no other process holds the conversation.
   *
   * @throws the reason of the signal; an error if the locks cannot be reached
   */
  abstract acquire(conversationId: string, wait: ConversationWait): Promise<ConversationHold>;
}

import type { Awaitable } from '../model/awaitable.js';
import type { Message } from '../model/messages.js';
import type { Speaker } from './conversation-owner.exception.js';

/** A turn of a conversation, as a {@link ConversationLog} keeps it. */
export interface ConversationTurn {
  /** The id of the turn. A conversation has it once. */
  readonly id: string;
  /** A number that is greater for a later turn of the conversation. */
  readonly position: number;
  /** What it was added with, see {@link ConversationAppend.pin}. */
  readonly pin?: string;
  /** What was said, oldest first. */
  readonly messages: readonly Message[];
}

/** A part of a conversation. */
export interface ConversationPage {
  /** Consecutive turns, oldest first. */
  readonly turns: readonly ConversationTurn[];
  /** The turns before these that stay in view, oldest first: the newest of each pin. */
  readonly pinned: readonly ConversationTurn[];
  /** Whose conversation it is. Undefined if nobody's. */
  readonly owner?: string;
}

/** How {@link ConversationLog.append} adds a turn. */
export interface ConversationAppend {
  /**
   * Keeps the turn in {@link ConversationPage.pinned} until a later turn of the conversation has the
   * same pin. `'system'` is the pin of turns with system messages, `'summary'` of turns that
   * summarize earlier ones.
   */
  readonly pin?: string;
  /** The id of a turn that the conversation must still have. Otherwise, nothing is added. */
  readonly after?: string;
  /**
   * Who said it. A new conversation belongs to this subject from then on. Without it, the application
   * has said it, which may extend every conversation.
   */
  readonly by?: Speaker;
  /** How much is read at most. A log that does not keep everything keeps so much of the newest. */
  readonly keep?: { readonly messages: number; readonly tokens: number };
  /** Aborted when the caller no longer waits. Do not write anything after that. */
  readonly signal?: AbortSignal;
}

/**
 * Stores conversations, each as a log of turns to which turns are only added. Extend it for a
 * database, and give it to `AiModule`. It is also the injection token.
 *
 * `conversationLogContract()` of `@nestor-ai/testing/contract` tests yours.
 */
export abstract class ConversationLog {
  /**
   * Adds a turn at the end, whole. If the conversation has a turn of this id, nothing changes: a
   * process may repeat an append whose answer was lost, or that another process has made. Appends
   * of several processes at the same time follow each other, in any order.
   *
   * @param messages none only make a new conversation belong to `by`, before it has turns
   * @throws ConversationOwnerException if the conversation does not belong to `by`; nothing is added
   */
  abstract append(
    conversationId: string,
    turnId: string,
    messages: readonly Message[],
    options?: ConversationAppend,
  ): Awaitable<void>;

  /**
   * Reads the newest turns, whole. It must not read the rest of the conversation.
   *
   * @param page `limit`: how many messages to read at least, if the conversation has so many.
   *   `before`: only turns with a lower position, and none that are pinned
   */
  abstract read(
    conversationId: string,
    page: { readonly limit: number; readonly before?: number },
  ): Awaitable<ConversationPage>;

  /**
   * Lists ids of conversations in an order that does not change.
   *
   * @param page `after`: only ids behind this one. `limit`: the most ids. Default: 1,000. `owner`: only
   *   conversations of this subject
   */
  abstract list(page?: {
    readonly after?: string;
    readonly limit?: number;
    readonly owner?: string;
  }): Awaitable<readonly string[]>;

  /** Deletes a conversation with all its turns. */
  abstract delete(conversationId: string): Awaitable<void>;

  /**
   * Gives a conversation that belongs to nobody to a subject, also one that has no turns yet.
   *
   * @param owner as `TurnPrincipal` names the subject
   * @throws ConversationOwnerException if it belongs to another one
   */
  abstract adopt(conversationId: string, owner: string): Awaitable<void>;
}

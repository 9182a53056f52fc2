import { Logger } from '@nestjs/common';
import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../model/bounded-cache.js';
import { type Message, toMessage } from '../model/messages.js';
import { requirePositive } from '../tool/check-timeout.js';
import { requireConversationId } from './chat-memory.js';
import { checkOwner, requireOwner } from './conversation-owner.exception.js';
import {
  type ConversationAppend,
  ConversationLog,
  type ConversationPage,
  type ConversationTurn,
} from './conversation-log.js';

const logger = new Logger('ChatMemory');

interface Conversation {
  readonly turns: ConversationTurn[];
  readonly ids: Set<string>;
  /** The number of messages in the turns. */
  size: number;
  readonly pinned: Map<string, ConversationTurn>;
  owner: string | undefined;
}

/** Keeps conversations in memory, up to a number of conversations and of messages in each. */
export class InMemoryConversationLog extends ConversationLog {
  readonly #conversations: LRUCache<string, Conversation>;
  readonly #maxMessages: number;
  #last = 0;

  /**
   * @param options `maxConversations`: above it, the least recently used one is deleted. Default:
   *   10,000. `maxMessages`: above it, the oldest turns of a conversation are deleted, unless a
   *   memory reads more. Default: 1,000
   * @throws RangeError when a number is not a whole number greater than 0
   */
  constructor(options: { readonly maxConversations?: number; readonly maxMessages?: number } = {}) {
    super();
    const { maxConversations = 10_000, maxMessages = 1000 } = options;
    requirePositive({ maxConversations, maxMessages });
    this.#maxMessages = maxMessages;
    this.#conversations = conversationCache(maxConversations, 'InMemoryConversationLog');
  }

  append(
    conversationId: string,
    turnId: string,
    messages: readonly Message[],
    { pin, after, keep, by, signal }: ConversationAppend = {},
  ): void {
    signal?.throwIfAborted();
    const id = requireConversationId(conversationId);
    const known = this.#conversations.get(id);
    if (known) checkOwner(known.owner, by);
    const conversation = known ?? conversationOf(by?.subject);
    const { turns, ids, pinned } = conversation;
    if (ids.has(turnId) || (after !== undefined && !ids.has(after))) return;
    if (messages.length > 0 || conversation.owner !== undefined) this.#conversations.set(id, conversation);
    if (messages.length === 0) return;
    const said = Object.freeze(messages.map(toMessage));
    const turn = { id: turnId, position: ++this.#last, messages: said, ...(pin !== undefined && { pin }) };
    turns.push(turn);
    ids.add(turnId);
    if (pin !== undefined) pinned.set(pin, turn);
    conversation.size += messages.length;
    const most = Math.max(keep?.messages ?? 0, this.#maxMessages);
    while (conversation.size - turns[0]!.messages.length >= most) {
      const gone = turns.shift()!;
      ids.delete(gone.id);
      conversation.size -= gone.messages.length;
    }
  }

  read(conversationId: string, { limit, before = Infinity }: { limit: number; before?: number }): ConversationPage {
    const conversation = this.#conversations.get(requireConversationId(conversationId));
    if (!conversation) return { turns: [], pinned: [] };
    const { turns, owner } = conversation;
    let end = turns.length;
    while (end > 0 && turns[end - 1]!.position >= before) end--;
    let start = end;
    for (let left = limit; start > 0 && left > 0;) left -= turns[--start]!.messages.length;
    const read = turns.slice(start, end);
    const first = read[0]?.position ?? 0;
    const isEarlier = ({ position }: ConversationTurn): boolean => position < first;
    const pinned = before === Infinity ? [...conversation.pinned.values()].filter(isEarlier) : [];
    const page = { turns: read, pinned: pinned.toSorted((a, b) => a.position - b.position) };
    return owner === undefined ? page : { ...page, owner };
  }

  list({
    after = '',
    limit = 1000,
    owner,
  }: { after?: string; limit?: number; owner?: string } = {}): readonly string[] {
    const all = [...this.#conversations.entries()].filter(([, of]) => owner === undefined || of.owner === owner);
    return pageOf(
      all.map(([id]) => id),
      after,
      limit,
    );
  }

  adopt(conversationId: string, owner: string): void {
    requireOwner(owner);
    const id = requireConversationId(conversationId);
    const conversation = this.#conversations.get(id) ?? conversationOf(owner);
    conversation.owner ??= owner;
    checkOwner(conversation.owner, { subject: owner });
    this.#conversations.set(id, conversation);
  }

  delete(conversationId: string): void {
    this.#conversations.delete(requireConversationId(conversationId));
  }
}

function conversationOf(owner: string | undefined): Conversation {
  return { turns: [], ids: new Set(), size: 0, pinned: new Map(), owner };
}

/** The ids behind one, in the order of their characters. */
export function pageOf(ids: readonly string[], after: string, limit: number): readonly string[] {
  return ids
    .filter((id) => id > after)
    .toSorted()
    .slice(0, limit);
}

/** A cache of conversations that warns once when it is full. */
export function conversationCache<Value extends object>(max: number, owner: string): LRUCache<string, Value> {
  let hasWarned = false;
  return boundedCache<Value>(max, {
    dispose: (_conversation, _id, reason) => {
      if (reason !== 'evict' || hasWarned) return;
      hasWarned = true;
      logger.warn(
        `${owner} is full: it has ${max} conversations. Each new one now replaces the least recently used one. ` +
          'Raise maxConversations, or store conversations in a database: extend ConversationLog and provide it in AiModule.',
      );
    },
  });
}

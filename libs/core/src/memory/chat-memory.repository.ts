import type { LRUCache } from 'lru-cache';
import { untilAborted } from '../model/aborts.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { type Message, toMessage, withMetadata } from '../model/messages.js';
import { SerialQueue } from '../model/serial-queue.js';
import { requireConversationId } from './chat-memory.js';
import { type ConversationAppend, ConversationLog, type ConversationPage } from './conversation-log.js';
import { checkOwner, requireOwner } from './conversation-owner.exception.js';
import { requirePositive } from '../tool/check-timeout.js';
import { conversationCache, pageOf } from './in-memory-conversation-log.js';
import { windowOf, withAdded } from './message-window.js';

const QUEUE = Symbol('nestor.Queue');

/**
 * Stores the messages of each conversation as one list, which every turn replaces. It forgets what
 * leaves the window of the memory. Extend {@link ConversationLog} instead if your store can add to
 * a conversation. `toMessageJson()` and `fromMessageJson()` help you convert messages.
 */
export abstract class ChatMemoryRepository extends ConversationLog {
  /** Not `#`, which a Proxy does not have. */
  readonly [QUEUE] = new SerialQueue();

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

  /** Adds messages to the list, and removes what is behind the newest `keep` ones. */
  override async append(
    conversationId: string,
    turnId: string,
    messages: readonly Message[],
    { keep = { messages: Infinity, tokens: Infinity }, by, signal }: ConversationAppend = {},
  ): Promise<void> {
    const add = (known: readonly Message[]): readonly Message[] => {
      signal?.throwIfAborted();
      if (known.length > 0) checkOwner(ownerOf(known), by);
      const isKnown = known.some(({ metadata }) => metadata?.['turnId'] === turnId);
      if (isKnown || messages.length === 0) return known;
      const owner = known.length > 0 ? ownerOf(known) : by?.subject;
      const all = withAdded(unmarked(known), unmarked(messages));
      const kept = windowOf(all, keep);
      // An empty list would belong to nobody.
      return owner === undefined ? kept : marked(kept.length > 0 ? kept : all.slice(-1), owner);
    };
    const update = async (): Promise<void> => {
      const updating = this.update(conversationId, add);
      // If the caller has left, a repository that hangs must not block the queue.
      return signal && isPromise(updating) ? untilAborted(signal, updating) : updating;
    };
    // update() only notices writes of other processes.
    await this[QUEUE].run(conversationId, update, signal);
  }

  /** Reads all messages, as one turn. */
  override async read(
    conversationId: string,
    { before = Infinity }: { readonly limit: number; readonly before?: number },
  ): Promise<ConversationPage> {
    const messages = await this.findByConversationId(conversationId);
    const owner = ownerOf(messages);
    const isAsked = before > 0 && messages.length > 0;
    const turns = isAsked ? [{ id: 'all', position: 0, messages: unmarked(messages) }] : [];
    return { turns, pinned: [], ...(owner !== undefined && { owner }) };
  }

  /** @throws TypeError if the conversation has no messages: a list has room for its owner only in these */
  override async adopt(conversationId: string, owner: string): Promise<void> {
    requireOwner(owner);
    await this[QUEUE].run(conversationId, async () =>
      this.update(conversationId, (known) => {
        if (known.length === 0)
          throw new TypeError('A ChatMemoryRepository cannot give away a conversation without messages.');
        checkOwner(ownerOf(known) ?? owner, { subject: owner });
        return marked(known, owner);
      }),
    );
  }

  /** With an owner, it reads every conversation. */
  override async list({
    after = '',
    limit = 1000,
    owner,
  }: { after?: string; limit?: number; owner?: string } = {}): Promise<readonly string[]> {
    const ids = pageOf(await this.findConversationIds(), after, owner === undefined ? limit : Infinity);
    if (owner === undefined) return ids;
    const found: string[] = [];
    for (const id of ids) {
      if (found.length === limit) break;
      if (ownerOf(await this.findByConversationId(id)) === owner) found.push(id);
    }
    return found;
  }

  override delete(conversationId: string): Awaitable<void> {
    return this.deleteByConversationId(conversationId);
  }
}

/** The key of the owner in the metadata of the last message. */
const OWNER = 'nestor.owner';

function ownerOf(messages: readonly Message[]): string | undefined {
  return messages.at(-1)?.metadata?.[OWNER] as string | undefined;
}

function marked(messages: readonly Message[], owner: string): readonly Message[] {
  return [...messages.slice(0, -1), withMetadata(messages.at(-1)!, { [OWNER]: owner })];
}

/** What the application adds may be a copy of what a repository has. */
function unmarked(messages: readonly Message[]): readonly Message[] {
  const isMarked = ({ metadata }: Message): boolean => metadata?.[OWNER] !== undefined;
  return messages.some(isMarked)
    ? messages.map((message) => (isMarked(message) ? withMetadata(message, { [OWNER]: undefined }) : message))
    : messages;
}

/** Keeps the lists of messages in memory, up to a maximum number of conversations. */
export class InMemoryChatMemoryRepository extends ChatMemoryRepository {
  readonly #conversations: LRUCache<string, readonly Message[]>;

  /**
   * @param options `maxConversations`: above it, the least recently used one is deleted. Default: 10,000
   * @throws RangeError when it is not a whole number greater than 0
   */
  constructor({ maxConversations = 10_000 }: { readonly maxConversations?: number } = {}) {
    super();
    requirePositive({ maxConversations });
    this.#conversations = conversationCache(maxConversations, 'InMemoryChatMemoryRepository');
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
}

import { untilAborted } from '../model/aborts.js';
import { isPromise } from '../model/awaitable.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { type Message, type MessageInput, toMessage } from '../model/messages.js';
import { ChatMemory, requireConversationId } from './chat-memory.js';
import type { ConversationLog, ConversationTurn } from './conversation-log.js';
import { checkOwner, type Speaker } from './conversation-owner.exception.js';
import { requirePositive } from '../tool/check-timeout.js';
import { InMemoryConversationLog } from './in-memory-conversation-log.js';
import { viewOf } from './conversation-view.js';
import { besides, fits, isSystem, windowOf, type WindowSize } from './message-window.js';

/** The options of {@link MessageWindowChatMemory}. */
export interface MessageWindowChatMemoryOptions {
  /** Stores the conversations. Default: in memory. */
  log?: ConversationLog;
  /** An alias of `log`, for a `ChatMemoryRepository`. */
  chatMemoryRepository?: ConversationLog;
  /**
   * The maximum number of messages that the model sees, including system messages. Default: 20, or
   * no limit with `maxTokens`.
   */
  maxMessages?: number | undefined;
  /** The maximum number of tokens that the model sees, as estimated by length. Default: no limit. */
  maxTokens?: number | undefined;
}

/** The most messages to read at once. */
const PAGE = 100;
/** How many messages before the window to search for the question that it begins with. */
const MOST_SEARCHED = 1000;
/** The tokens of an empty message. */
const LEAST_TOKENS = 4;

/**
 * Gives the latest messages of a conversation.
 *
 * It gives whole turns: the window starts with a user message, and tool calls stay together with
 * their responses. The current turn is always given completely, even if it is longer than the
 * window. If a finished turn is longer than the window, its oldest tool calls are left out first.
 * System messages stay until new ones replace them.
 */
export class MessageWindowChatMemory extends ChatMemory {
  readonly #log: ConversationLog;
  readonly #size: WindowSize;

  /** @throws RangeError when a limit is not a whole number greater than 0 */
  constructor(options: MessageWindowChatMemoryOptions = {}) {
    super();
    const { log, chatMemoryRepository, maxTokens } = options;
    const { maxMessages = maxTokens === undefined ? 20 : Infinity } = options;
    requirePositive({ maxMessages: options.maxMessages, maxTokens });
    const given = log ?? chatMemoryRepository;
    if (!given && ('log' in options || 'chatMemoryRepository' in options))
      throw new TypeError('MessageWindowChatMemory was given no store. AiModule has one: inject ConversationLog.');
    if (given && typeof (given as Partial<ConversationLog>).append !== 'function')
      throw new TypeError('The store of conversations must extend ConversationLog or ChatMemoryRepository.');
    this.#log = given ?? new InMemoryConversationLog();
    const most = Math.min(maxMessages, Math.ceil((maxTokens ?? Infinity) / LEAST_TOKENS));
    this.#size = { messages: most, tokens: maxTokens ?? Infinity };
  }

  static builder(): FluentBuilder<MessageWindowChatMemoryOptions, MessageWindowChatMemory> {
    return fluentBuilder((options: MessageWindowChatMemoryOptions) => new MessageWindowChatMemory(options));
  }

  /** Adds messages. Those whose last one has a `turnId` in its metadata are added once. */
  override async add(
    conversationId: string,
    messages: MessageInput | readonly MessageInput[],
    signal?: AbortSignal,
    by?: Speaker,
  ): Promise<void> {
    const id = requireConversationId(conversationId);
    const added = (Array.isArray(messages) ? (messages as MessageInput[]) : [messages as MessageInput]).map(toMessage);
    if (added.length === 0) return;
    const turnId = added.at(-1)!.metadata?.['turnId'];
    const adding = this.#log.append(id, typeof turnId === 'string' ? turnId : crypto.randomUUID(), added, {
      keep: this.#size,
      ...(added.some(isSystem) && { pin: 'system' }),
      ...(by && { by }),
      ...(signal && { signal }),
    });
    await (signal && isPromise(adding) ? untilAborted(signal, adding) : adding);
  }

  override async get(conversationId: string, by?: Speaker): Promise<readonly Message[]> {
    const id = requireConversationId(conversationId);
    // One more, to see whether the window begins in what was read.
    const limit = Math.min(this.#size.messages, PAGE) + 1;
    const { turns, pinned, owner } = await this.#log.read(id, { limit });
    if (turns.length > 0 || owner !== undefined) checkOwner(owner, by);
    let read = turns;
    let view = viewOf(read, pinned);
    for (let page = turns; sizeOf(page) >= limit && !fills(view.messages, this.#size);) {
      if (read[0]!.position <= view.until) break;
      ({ turns: page } = await this.#log.read(id, { limit, before: read[0]!.position }));
      read = [...page, ...read];
      view = viewOf(read, pinned);
    }
    const { tokens } = besides(view.summary, this.#size);
    return [...view.summary, ...windowOf(view.messages, { ...this.#size, tokens })];
  }

  override async reserve(conversationId: string, by: Speaker): Promise<void> {
    await this.#log.append(requireConversationId(conversationId), crypto.randomUUID(), [], { by });
  }

  override async clear(conversationId: string): Promise<void> {
    await this.#log.delete(requireConversationId(conversationId));
  }
}

/** The number of messages. A log gives less than it was asked for if it has no more. */
export function sizeOf(turns: readonly ConversationTurn[]): number {
  return turns.reduce((size, { messages }) => size + messages.length, 0);
}

/** Whether earlier messages cannot change the window. Without a user message, there is nothing to begin with. */
function fills(known: readonly Message[], size: WindowSize): boolean {
  return (
    !fits(known, size) && (known.length > size.messages + MOST_SEARCHED || known.some(({ role }) => role === 'user'))
  );
}

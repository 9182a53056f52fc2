import { untilAborted } from '../model/aborts.js';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { type Message, type MessageInput, toMessage } from '../model/messages.js';
import { SerialQueue } from '../model/serial-queue.js';
import { ChatMemory, requireConversationId } from './chat-memory.js';
import { ChatMemoryRepository, InMemoryChatMemoryRepository } from './chat-memory.repository.js';

/** The options of {@link MessageWindowChatMemory}. */
export interface MessageWindowChatMemoryOptions {
  /** Stores the conversations. Default: in memory. */
  repository?: ChatMemoryRepository;
  /** An alias of `repository`. */
  chatMemoryRepository?: ChatMemoryRepository;
  /** The maximum number of messages per conversation, including system messages. Default: 20. */
  maxMessages?: number;
}

export const DEFAULT_MAX_MESSAGES = 20;

/**
 * Keeps the latest messages of a conversation.
 *
 * It keeps whole turns: the window starts with a user message, and tool calls stay together with
 * their responses. The current turn is always kept completely, even if it is longer than the
 * window. If a finished turn is longer than the window, its oldest tool calls are removed first.
 * System messages are kept until new ones replace them.
 */
export class MessageWindowChatMemory extends ChatMemory {
  readonly #repository: ChatMemoryRepository;
  readonly #maxMessages: number;
  readonly #queue = new SerialQueue();

  /** @throws RangeError when maxMessages is not a whole number greater than 0 */
  constructor(options: MessageWindowChatMemoryOptions = {}) {
    super();
    const { repository, chatMemoryRepository, maxMessages = DEFAULT_MAX_MESSAGES } = options;
    if (!Number.isInteger(maxMessages) || maxMessages < 1) {
      throw new RangeError(`maxMessages must be greater than 0, but is ${maxMessages}.`);
    }
    this.#repository = repository ?? chatMemoryRepository ?? new InMemoryChatMemoryRepository();
    this.#maxMessages = maxMessages;
  }

  static builder(): FluentBuilder<MessageWindowChatMemoryOptions, MessageWindowChatMemory> {
    return fluentBuilder((options: MessageWindowChatMemoryOptions) => new MessageWindowChatMemory(options));
  }

  override async add(
    conversationId: string,
    messages: MessageInput | readonly MessageInput[],
    signal?: AbortSignal,
  ): Promise<void> {
    const id = requireConversationId(conversationId);
    const added = (Array.isArray(messages) ? (messages as MessageInput[]) : [messages as MessageInput]).map(toMessage);
    if (added.length === 0) return;
    const addTo = (known: readonly Message[]): readonly Message[] => {
      signal?.throwIfAborted();
      if (hasTurnOf(known, added)) return known;
      return windowOf([...withoutReplaced(known, added), ...added], this.#maxMessages);
    };
    // Repositories only notice writes of other processes.
    await this.#queue.run(id, async () => orAborted(this.#repository.update(id, addTo), signal), signal);
  }

  override async get(conversationId: string): Promise<readonly Message[]> {
    return this.#repository.findByConversationId(requireConversationId(conversationId));
  }

  override async clear(conversationId: string): Promise<void> {
    await this.#repository.deleteByConversationId(requireConversationId(conversationId));
  }
}

/** If the caller has left, a repository that hangs must not block the queue. */
function orAborted<T>(result: Awaitable<T>, signal: AbortSignal | undefined): Awaitable<T> {
  return signal && isPromise(result) ? untilAborted(signal, result) : result;
}

/** Whether a turn with an id is already there: a process that stood still may add it after another one. */
function hasTurnOf(known: readonly Message[], added: readonly Message[]): boolean {
  const turnId = added.at(-1)!.metadata?.['turnId'];
  return turnId !== undefined && known.some(({ metadata }) => metadata?.['turnId'] === turnId);
}

/** New system messages replace the old ones. */
function withoutReplaced(known: readonly Message[], added: readonly Message[]): readonly Message[] {
  const texts = new Set(known.flatMap((message) => (message.role === 'system' ? [message.text] : [])));
  const isNew = added.some((message) => message.role === 'system' && !texts.has(message.text));
  return isNew ? known.filter(({ role }) => role !== 'system') : known;
}

function windowOf(messages: readonly Message[], maxMessages: number): readonly Message[] {
  if (messages.length <= maxMessages) return messages;
  const spoken = messages.filter(({ role }) => role !== 'system');
  const room = Math.max(0, maxMessages - (messages.length - spoken.length));
  const from = spoken.findIndex(({ role }, at) => at >= spoken.length - room && role === 'user');
  const kept = from >= 0 ? spoken.slice(from) : lastTurn(spoken, room);
  // Keeps the order of system messages and others. The kept ones are the last of the others.
  const cut = positionOf(messages, spoken.length - kept.length);
  return [...messages.slice(0, cut).filter(({ role }) => role === 'system'), ...merged(messages.slice(cut), kept)];
}

/** The position behind this many messages that are not system messages. */
function positionOf(messages: readonly Message[], skipped: number): number {
  let left = skipped;
  let at = 0;
  while (left > 0) if (messages[at++]!.role !== 'system') left--;
  return at;
}

/** Replaces the messages that are not system messages with the kept ones. */
function merged(messages: readonly Message[], kept: readonly Message[]): readonly Message[] {
  let next = 0;
  return messages.map((message) => (message.role === 'system' ? message : kept[next++]!));
}

/** The part to keep of a turn that does not fit. */
function lastTurn(spoken: readonly Message[], room: number): readonly Message[] {
  const turn = spoken.slice(spoken.findLastIndex(({ role }) => role === 'user'));
  const last = turn.at(-1);
  if (turn[0]?.role !== 'user') return [];
  if (last?.role !== 'assistant' || last.toolCalls?.length > 0) return turn;
  const [asked, ...steps] = turn;
  while (steps.length > 0 && steps.length + 1 > room) {
    steps.shift();
    while (steps[0]?.role === 'tool') steps.shift();
  }
  return steps.length > 0 ? [asked, ...steps] : [];
}

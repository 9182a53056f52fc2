import type { ChatOptions } from './chat-options.js';
import {
  type Message,
  type MessageInput,
  SystemMessage,
  toMessage,
  type ToolResponseMessage,
  UserMessage,
} from './messages.js';

const PROMPT = Symbol.for('nestor.Prompt');

/** The input of a model: the messages of a conversation and the options of the request. */
export class Prompt {
  /** The conversation, oldest first. */
  readonly messages: readonly Message[];
  readonly options?: ChatOptions;

  /**
   * @param messages a text (becomes a user message), a message, or a list of messages; JSON of the
   * same shape is accepted too
   * @param options the options of the request
   * @throws TypeError when an item is not a message
   */
  constructor(messages: string | MessageInput | readonly MessageInput[], options?: ChatOptions) {
    if (typeof messages === 'string') this.messages = [new UserMessage(messages)];
    else if (Array.isArray(messages)) this.messages = (messages as MessageInput[]).map(toMessage);
    else this.messages = [toMessage(messages as MessageInput)];
    if (options) this.options = options;
  }

  /**
   * Returns a copy with other messages or options.
   *
   * @throws TypeError when an item is not a message
   */
  with(changes: { messages?: readonly MessageInput[]; options?: ChatOptions }): Prompt {
    return Prompt.of(changes.messages?.map(toMessage) ?? this.messages, changes.options ?? this.options);
  }

  /** Marks prompts of all copies of this package. JSON from a client cannot carry it. */
  get [PROMPT](): true {
    return true;
  }

  /** Whether a value is a prompt, and not only an object of the same shape. */
  static isPrompt(value: unknown): value is Prompt {
    return typeof value === 'object' && value !== null && PROMPT in value;
  }

  /** The last user message, if any. */
  get userMessage(): UserMessage | undefined {
    return this.messages.findLast((message) => message.role === 'user');
  }

  /** The first system message, if any. */
  get systemMessage(): SystemMessage | undefined {
    return this.messages.find((message) => message.role === 'system');
  }

  /** The message that the model must answer: the last one from the user or the tools. */
  get lastUserOrToolResponseMessage(): UserMessage | ToolResponseMessage | undefined {
    return this.messages.findLast((message) => message.role === 'user' || message.role === 'tool');
  }

  /**
   * Returns a copy with a changed user message.
   *
   * @param change the new text, or a function that changes the last user message; adds a user
   * message if there is none
   */
  augmentUserMessage(change: string | ((message: UserMessage) => UserMessage)): Prompt {
    const at = this.messages.findLastIndex(({ role }) => role === 'user');
    const known = (this.messages[at] as UserMessage | undefined) ?? new UserMessage('');
    const { text: _text, ...rest } = known;
    const message = typeof change === 'string' ? new UserMessage({ ...rest, text: change }) : change(known);
    return Prompt.of(at < 0 ? [...this.messages, message] : this.messages.with(at, message), this.options);
  }

  /**
   * Returns a copy with a changed system message.
   *
   * @param change the new text, or a function that changes the first system message; adds one at
   * the beginning if there is none
   */
  augmentSystemMessage(change: string | ((message: SystemMessage) => SystemMessage)): Prompt {
    const at = this.messages.findIndex(({ role }) => role === 'system');
    const known = (this.messages[at] as SystemMessage | undefined) ?? new SystemMessage('');
    const { text: _text, ...rest } = known;
    const message = typeof change === 'string' ? new SystemMessage({ ...rest, text: change }) : change(known);
    return Prompt.of(at < 0 ? [message, ...this.messages] : this.messages.with(at, message), this.options);
  }

  /** Creates a prompt from valid messages, without checking or copying them. */
  static of(messages: readonly Message[], options?: ChatOptions): Prompt {
    return new UncheckedPrompt(messages, options);
  }
}

/**
 * The constructor without its checks, as a separate function. `Object.create()` takes several
 * times as long, and a turn creates five prompts.
 */
const UncheckedPrompt = function (
  this: { messages: readonly Message[]; options?: ChatOptions },
  messages: readonly Message[],
  options: ChatOptions | undefined,
): void {
  this.messages = messages;
  if (options) this.options = options;
} as unknown as new (messages: readonly Message[], options: ChatOptions | undefined) => Prompt;
UncheckedPrompt.prototype = Prompt.prototype;

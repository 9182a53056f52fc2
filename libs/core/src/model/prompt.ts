import type { ChatOptions } from './chat-options.js';
import {
  type Message,
  type MessageInput,
  SystemMessage,
  toMessage,
  type ToolResponseMessage,
  UserMessage,
} from './messages.js';

/** What is sent to a model: the messages of a conversation and the options of the request. */
export class Prompt {
  /** The conversation, oldest first. */
  readonly messages: readonly Message[];
  /** The options of the request. */
  readonly options?: ChatOptions;

  /**
   * @param messages a text (becomes a user message), a message, or several; JSON of the same shape will do
   * @param options the options of the request
   * @throws TypeError when something is not a message
   */
  constructor(messages: string | MessageInput | readonly MessageInput[], options?: ChatOptions) {
    if (typeof messages === 'string') this.messages = [new UserMessage(messages)];
    else if (Array.isArray(messages)) this.messages = (messages as MessageInput[]).map(toMessage);
    else this.messages = [toMessage(messages as MessageInput)];
    if (options) this.options = options;
  }

  /**
   * A copy with other messages or options.
   *
   * @throws TypeError when something is not a message
   */
  with(changes: { messages?: readonly MessageInput[]; options?: ChatOptions }): Prompt {
    return Prompt.of(changes.messages?.map(toMessage) ?? this.messages, changes.options ?? this.options);
  }

  /** What the user said last, if anything. */
  get userMessage(): UserMessage | undefined {
    return this.messages.findLast((message) => message.role === 'user');
  }

  /** The first instructions of the application, if there are any. */
  get systemMessage(): SystemMessage | undefined {
    return this.messages.find((message) => message.role === 'system');
  }

  /** What the model has to answer to: what the user or the tools said last. */
  get lastUserOrToolResponseMessage(): UserMessage | ToolResponseMessage | undefined {
    return this.messages.findLast((message) => message.role === 'user' || message.role === 'tool');
  }

  /**
   * A copy in which the user says something else.
   *
   * @param change the new text, or what becomes of the last user message; without one, a user message is added
   */
  augmentUserMessage(change: string | ((message: UserMessage) => UserMessage)): Prompt {
    const at = this.messages.findLastIndex(({ role }) => role === 'user');
    const known = (this.messages[at] as UserMessage | undefined) ?? new UserMessage('');
    const { text: _text, ...rest } = known;
    const message = typeof change === 'string' ? new UserMessage({ ...rest, text: change }) : change(known);
    return Prompt.of(at < 0 ? [...this.messages, message] : this.messages.with(at, message), this.options);
  }

  /**
   * A copy with other instructions.
   *
   * @param change the new text, or what becomes of the first system message; without one, it is added at the beginning
   */
  augmentSystemMessage(change: string | ((message: SystemMessage) => SystemMessage)): Prompt {
    const at = this.messages.findIndex(({ role }) => role === 'system');
    const known = (this.messages[at] as SystemMessage | undefined) ?? new SystemMessage('');
    const { text: _text, ...rest } = known;
    const message = typeof change === 'string' ? new SystemMessage({ ...rest, text: change }) : change(known);
    return Prompt.of(at < 0 ? [message, ...this.messages] : this.messages.with(at, message), this.options);
  }

  /** A prompt of messages that are known to be messages: nothing is checked or copied. */
  static of(messages: readonly Message[], options?: ChatOptions): Prompt {
    return new UncheckedPrompt(messages, options);
  }
}

/** The constructor without its checks, as a function of its own: `Object.create()` takes several times as long, and a turn has five prompts. */
const UncheckedPrompt = function (
  this: { messages: readonly Message[]; options?: ChatOptions },
  messages: readonly Message[],
  options: ChatOptions | undefined,
): void {
  this.messages = messages;
  if (options) this.options = options;
} as unknown as new (messages: readonly Message[], options: ChatOptions | undefined) => Prompt;
UncheckedPrompt.prototype = Prompt.prototype;

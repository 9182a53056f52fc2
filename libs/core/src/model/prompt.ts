import type { ChatOptions } from './chat-options.js';
import { type Message, type MessageInput, toMessage, UserMessage } from './messages.js';

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

  /** A prompt of messages that are known to be messages: nothing is checked or copied. */
  static of(messages: readonly Message[], options?: ChatOptions): Prompt {
    const prompt = Object.create(Prompt.prototype) as { messages: unknown; options?: unknown };
    prompt.messages = messages;
    if (options) prompt.options = options;
    return prompt as Prompt;
  }
}

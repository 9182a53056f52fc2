/**
 * A request has waited too long for the turn that its conversation is busy with. The id of the conversation is private, so that loggers do
 * not print it.
 */
export class ConversationLockTimeoutException extends Error {
  override readonly name = 'ConversationLockTimeoutException';
  readonly #conversationId: string;

  /** @param timeout how long the request has waited, in milliseconds */
  constructor(
    conversationId: string,
    readonly timeout: number,
  ) {
    super(
      `The conversation is busy: the turn before has not ended within ${timeout} ms. Give tools that may hang a timeout (ai.tools.timeout), ` +
        'keep tools of two conversations from asking in each other, or wait longer (ai.chat.memory.lock-timeout, or lockTimeout of ' +
        'MessageChatMemoryAdvisor).',
    );
    this.#conversationId = conversationId;
  }

  /** The conversation that is busy. */
  get conversationId(): string {
    return this.#conversationId;
  }
}

/**
 * A request waited too long for another turn of the same conversation to end. The conversation id
 * is a private field, so that loggers do not print it.
 */
export class ConversationLockTimeoutException extends Error {
  override readonly name = 'ConversationLockTimeoutException';
  readonly #conversationId: string;

  /** @param timeout how long the request waited, in milliseconds */
  constructor(
    conversationId: string,
    readonly timeout: number,
  ) {
    super(
      `The conversation is busy: its previous turn did not end within ${timeout} ms. Set a timeout for tools that may ` +
        'hang (ai.tools.timeout), make sure that tools of two conversations do not wait for each other, or wait longer ' +
        '(ai.chat.memory.lock-timeout, or lockTimeout of MessageChatMemoryAdvisor).',
    );
    this.#conversationId = conversationId;
  }

  /** The conversation that is busy. */
  get conversationId(): string {
    return this.#conversationId;
  }
}

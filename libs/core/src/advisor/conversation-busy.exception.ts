/**
 * The worker of a queued turn has given it back, since another turn has its conversation and enough
 * turns of the worker wait for theirs. Nothing of it has run. The conversation id is a private field,
 * so that loggers do not print it.
 */
export class ConversationBusyException extends Error {
  override readonly name = 'ConversationBusyException';
  readonly #conversationId: string;

  constructor(conversationId: string) {
    super('Another turn has the conversation. The worker runs this one later.');
    this.#conversationId = conversationId;
  }

  /** The conversation that is busy. */
  get conversationId(): string {
    return this.#conversationId;
  }
}

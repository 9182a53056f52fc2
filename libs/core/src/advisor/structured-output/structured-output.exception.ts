import type { ChatResponse } from '../../model/chat-response.js';

/**
 * The model's answer does not have the requested format. The answer itself is a private field, so
 * that loggers do not print it.
 */
export class StructuredOutputException extends Error {
  override readonly name = 'StructuredOutputException';
  readonly #output: string | undefined;
  readonly #response: ChatResponse | undefined;

  constructor(
    message: string,
    output: string | undefined,
    { response, ...options }: ErrorOptions & { response?: ChatResponse } = {},
  ) {
    super(message, options);
    this.#output = output;
    this.#response = response;
  }

  /** The model's answer, unchanged. */
  get output(): string | undefined {
    return this.#output;
  }

  /**
   * The response, if it is not a complete answer. A turn that waits for approval has its id and
   * its calls in it.
   */
  get response(): ChatResponse | undefined {
    return this.#response;
  }
}

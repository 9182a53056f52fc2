import type { ChatResponse } from '../../model/chat-response.js';

/** The answer of the model does not have the requested form. The answer is private, so that loggers do not print it. */
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

  /** The answer as the model gave it. */
  get output(): string | undefined {
    return this.#output;
  }

  /** The response, where it is no whole answer: a turn that waits for approval has its id and its calls in it. */
  get response(): ChatResponse | undefined {
    return this.#response;
  }
}

import type { Awaitable } from '../../model/awaitable.js';
import type { ChatResponse } from '../../model/chat-response.js';
import type { JsonSchema } from '../../model/json-schema.js';

/** Tells the model the form of its answer, and converts the answer to a value. Extend it for a form of your own. */
export abstract class StructuredOutputConverter<T> {
  /** The instructions that are added to the user's message; empty for none. */
  abstract getFormat(): string;

  /** The form as JSON Schema, for models that follow one; undefined for forms that are not JSON. */
  getJsonSchema(): JsonSchema | undefined {
    return undefined;
  }

  /** The value of JSON that is not complete yet; undefined while there is nothing to show. */
  partial(json: unknown): unknown {
    return json;
  }

  /**
   * Converts an answer.
   *
   * @throws Error saying what is wrong with the answer
   */
  abstract convert(text: string): Awaitable<T>;
}

/** Whether a value is a converter, also one of another copy of this package. */
export function isStructuredOutputConverter(value: unknown): value is StructuredOutputConverter<unknown> {
  const { getFormat, convert } = (value ?? {}) as Partial<StructuredOutputConverter<unknown>>;
  return typeof getFormat === 'function' && typeof convert === 'function';
}

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

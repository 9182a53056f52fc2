/** What is known of a failed call to a model. */
export interface ChatModelFailure {
  /** The HTTP status, when the provider answered. */
  httpStatus?: number;
  /** How Node.js or the provider's package names what went wrong, such as `ECONNREFUSED` or `AI_LoadAPIKeyError`. */
  code?: string;
  /** What the provider answered. May contain what was sent: do not show it to users. */
  responseBody?: string;
  /** The headers of the answer, with names in lower case, such as `retry-after`. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Whether the same request may succeed later. Default: false. */
  isRetryable?: boolean;
  /** What the provider's package threw, with the request in it: the exception has it as `providerError`. */
  cause?: unknown;
}

/**
 * A model could not be called, or did not answer as it should.
 *
 * What may contain the request or the answer is private and read through getters, so that loggers do not print it. It is no `cause`,
 * since loggers print causes.
 */
export class ChatModelException extends Error {
  override readonly name: string = 'ChatModelException';
  /** The HTTP status, when the provider answered. It is not called `statusCode`: Nest would answer its client with it. */
  readonly httpStatus?: number;
  /** How Node.js or the provider's package names what went wrong, such as `ECONNREFUSED` or `AI_LoadAPIKeyError`. */
  readonly code?: string;
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;
  readonly #failure: ChatModelFailure;

  constructor(message: string, failure: ChatModelFailure = {}) {
    super(message);
    this.#failure = failure;
    if (failure.httpStatus !== undefined) this.httpStatus = failure.httpStatus;
    if (failure.code !== undefined) this.code = failure.code;
    this.isRetryable = failure.isRetryable ?? false;
  }

  /** What the provider answered. May contain what was sent: do not show it to users. */
  get responseBody(): string | undefined {
    return this.#failure.responseBody;
  }

  /** The headers of the answer, with names in lower case, such as `retry-after`. */
  get responseHeaders(): Readonly<Record<string, string>> | undefined {
    return this.#failure.responseHeaders;
  }

  /** What the provider's package threw. Contains what was sent: do not log it. */
  get providerError(): unknown {
    return this.#failure.cause;
  }
}

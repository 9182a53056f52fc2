import { messageOf, readSafely } from '@nestor-ai/schema';

/** Details about a failed call to a model. */
export interface ChatModelFailure {
  /** The HTTP status, if the provider answered. */
  httpStatus?: number;
  /**
   * The error code from Node.js or the provider's package, such as `ECONNREFUSED` or
   * `AI_LoadAPIKeyError`.
   */
  code?: string;
  /** The body of the provider's answer. It may contain the request: do not show it to users. */
  responseBody?: string;
  /** The headers of the answer, with lower-case names, such as `retry-after`. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Whether the same request may succeed later. Default: false. */
  isRetryable?: boolean;
  /**
   * Whether the message contains nothing of the request and of the provider's answer, so that
   * `AiExceptionFilter` and streams may log it. Default: false.
   */
  isLoggable?: boolean;
  /**
   * The error from the provider's package, which contains the request. Read it as `providerError`
   * of the exception.
   */
  cause?: unknown;
}

/** The message of a failed call, if the log may contain it. */
export let loggedMessageOf: (error: unknown) => string | undefined;

/**
 * A model could not be called, or it did not answer as expected.
 *
 * Values that may contain the request or the answer are private and read through getters, so that
 * loggers do not print them. For the same reason the provider's error is not set as `cause`.
 */
export class ChatModelException extends Error {
  static {
    loggedMessageOf = (error) =>
      readSafely(() => {
        const failure = error as ChatModelException;
        return #failure in failure && failure.#failure.isLoggable ? failure.message : undefined;
      });
  }

  override readonly name: string = 'ChatModelException';
  /**
   * The HTTP status, if the provider answered. Not named `statusCode`, because Nest would send
   * that status to its client.
   */
  readonly httpStatus?: number;
  /**
   * The error code from Node.js or the provider's package, such as `ECONNREFUSED` or
   * `AI_LoadAPIKeyError`.
   */
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

  /** The body of the provider's answer. It may contain the request: do not show it to users. */
  get responseBody(): string | undefined {
    return this.#failure.responseBody;
  }

  /** The headers of the answer, with lower-case names, such as `retry-after`. */
  get responseHeaders(): Readonly<Record<string, string>> | undefined {
    return this.#failure.responseHeaders;
  }

  /** The error from the provider's package. It contains the request: do not log it. */
  get providerError(): unknown {
    return this.#failure.cause;
  }
}

/**
 * What a failed call of a model throws. An error of another class may contain the request, and
 * loggers would print it, so it becomes the `providerError` of a {@link ChatModelException}. An
 * `HttpException` is an answer of the application, and the reason of an abort belongs to its caller.
 */
export function toModelFailure(thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted || isModelFailure(thrown) || isHttpException(thrown)) return thrown;
  const failure = new ChatModelException(messageOf(thrown) || 'The model failed.', { cause: thrown });
  const stack = readSafely(() => (thrown as Error).stack);
  if (typeof stack === 'string') failure.stack = stack;
  return failure;
}

/** `instanceof` throws for a revoked proxy. */
function isModelFailure(thrown: unknown): boolean {
  return readSafely(() => thrown instanceof ChatModelException) === true;
}

function isHttpException(thrown: unknown): boolean {
  return typeof readSafely(() => (thrown as { getStatus?: unknown }).getStatus) === 'function';
}

/**
 * The wait that a provider asked for when it failed, in milliseconds. Its headers contain seconds,
 * milliseconds or a date.
 */
export function retryAfterOf(error: unknown): number | undefined {
  const headers = error instanceof ChatModelException ? error.responseHeaders : undefined;
  const milliseconds = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** What is known of a failed call to a model. */
export interface ChatModelFailure {
  /** The HTTP status, when the provider answered. */
  statusCode?: number;
  /** What the provider answered. May contain what was sent: do not show it to users. */
  responseBody?: string;
  /** The headers of the answer, with names in lower case, such as `retry-after`. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Whether the same request may succeed later. Default: false. */
  isRetryable?: boolean;
  cause?: unknown;
}

/** A model could not be called, or did not answer as it should. */
export class ChatModelException extends Error {
  override readonly name = 'ChatModelException';
  readonly statusCode?: number;
  readonly responseBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly isRetryable: boolean;

  constructor(message: string, failure: ChatModelFailure = {}) {
    super(message, { cause: failure.cause });
    if (failure.statusCode !== undefined) this.statusCode = failure.statusCode;
    if (failure.responseBody !== undefined) this.responseBody = failure.responseBody;
    if (failure.responseHeaders) this.responseHeaders = failure.responseHeaders;
    this.isRetryable = failure.isRetryable ?? false;
  }
}

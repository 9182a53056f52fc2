/**
 * Errors of the AI SDK, and of `fetch`, for an unreadable answer: it was cut off, is empty, or contains an
 * error instead.
 */
const UNREADABLE: ReadonlySet<unknown> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'ResponseContentLengthMismatchError',
]);

/**
 * Providers' names for temporary errors: `overloaded_error`, `rate_limit_exceeded`,
 * `server_error`, `UNAVAILABLE`.
 */
const PASSING_NAME =
  /overload|rate_?limit|server_?error|api_error|timeout|unavailable|internal|throttl|exhausted|deadline/i;

/** A name, not a sentence. */
const NAME = /^[\w.-]{1,64}$/;

/** The fields that errors of various providers may have. */
interface Failure {
  readonly name?: unknown;
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly cause?: Failure | undefined;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly error?: Failure | undefined;
}

/**
 * Whether a failed call may succeed later:
 *
 * 1. The provider's package reports it.
 * 2. The provider accepted the request, but its answer is unreadable.
 * 3. The provider sent a temporary error as plain data in its stream.
 */
export function isPassing(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const failure = thrown as Failure;
  if (failure.isRetryable === true || isUnreadable(failure)) return true;
  // Errors of the AI SDK already report whether they are retryable.
  if (failure instanceof Error) return false;
  return isNamedPassing(failure) || isNamedPassing(failure.error);
}

function isUnreadable({ name, statusCode, cause }: Failure): boolean {
  if (UNREADABLE.has(name)) return true;
  const isAccepted = typeof statusCode !== 'number' || (statusCode >= 200 && statusCode < 300);
  return name === 'AI_APICallError' && isAccepted && [cause, cause?.cause].some((known) => UNREADABLE.has(known?.name));
}

function isNamedPassing(failure: Failure | undefined): boolean {
  if (typeof failure !== 'object' || failure === null) return false;
  return [failure.type, failure.code, failure.status].some((said) =>
    typeof said === 'number'
      ? isPassingStatus(said)
      : typeof said === 'string' && NAME.test(said) && PASSING_NAME.test(said),
  );
}

function isPassingStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status < 600);
}

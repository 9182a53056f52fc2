/** What an answer that cannot be read makes the AI SDK throw: it was cut off, is empty, or is an error in the place of an answer. */
const UNREADABLE: ReadonlySet<unknown> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
]);

/** How providers name what will pass: `overloaded_error`, `rate_limit_exceeded`, `server_error`, `UNAVAILABLE`. */
const PASSING_NAME =
  /overload|rate_?limit|server_?error|api_error|timeout|unavailable|internal|throttl|exhausted|deadline/i;

/** The name of something, not a sentence. */
const NAME = /^[\w.-]{1,64}$/;

/** What an error may have, of whatever provider. */
interface Failure {
  readonly name?: unknown;
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly cause?: { readonly name?: unknown } | undefined;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly error?: Failure | undefined;
}

/**
 * Whether a call that failed may succeed later.
 *
 * 1. The provider's package says so.
 * 2. The answer cannot be read, although the provider has accepted the request.
 * 3. The provider says in the middle of its stream, in plain data, what is the matter, and it is something that passes.
 */
export function isPassing(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const failure = thrown as Failure;
  if (failure.isRetryable === true || isUnreadable(failure)) return true;
  // An error of the AI SDK has said what it knows.
  if (failure instanceof Error) return false;
  return isNamedPassing(failure) || isNamedPassing(failure.error);
}

function isUnreadable({ name, statusCode, cause }: Failure): boolean {
  if (UNREADABLE.has(name)) return true;
  const isAccepted = typeof statusCode !== 'number' || (statusCode >= 200 && statusCode < 300);
  return name === 'AI_APICallError' && isAccepted && UNREADABLE.has(cause?.name);
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

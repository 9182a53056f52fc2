import { inspect } from 'node:util';
import { ChatModelException } from '@nestor-ai/core';

// The AI SDK marks its errors with symbols, since several copies of its packages may be loaded.
const API_CALL_ERROR = Symbol.for('vercel.ai.error.AI_APICallError');

interface ApiCallError extends Error {
  readonly statusCode?: number;
  readonly responseBody?: string;
  readonly responseHeaders?: Record<string, string>;
  readonly isRetryable?: boolean;
}

/**
 * What a failed call is told as: the reason of the abort when it was aborted, else a `ChatModelException` with
 * status and body.
 *
 * @param thrown what the provider threw, or gave as an error in its stream
 */
export function toFailure(thrown: unknown, signal: AbortSignal | undefined): unknown {
  // Providers wrap the reason of an abort in various ways; the signal knows it.
  if (signal?.aborted) return signal.reason;
  if (thrown instanceof ChatModelException) return thrown;
  if (isApiCallError(thrown)) {
    const { message, statusCode, responseBody, responseHeaders, isRetryable } = thrown;
    const status = statusCode === undefined || statusCode === 200 ? '' : ` (status ${statusCode})`;
    return new ChatModelException(`${message || 'The model could not be called'}${status}`, {
      ...(statusCode !== undefined && { statusCode }),
      ...(responseBody !== undefined && { responseBody }),
      ...(responseHeaders && { responseHeaders }),
      ...(isRetryable !== undefined && { isRetryable }),
      cause: thrown,
    });
  }
  const { statusCode, isRetryable } = (thrown ?? {}) as Partial<ApiCallError>;
  return new ChatModelException(`The model could not be called: ${messageOf(thrown)}`, {
    ...(typeof statusCode === 'number' && { statusCode }),
    ...(typeof isRetryable === 'boolean' && { isRetryable }),
    cause: thrown,
  });
}

function isApiCallError(thrown: unknown): thrown is ApiCallError {
  return typeof thrown === 'object' && thrown !== null && API_CALL_ERROR in thrown;
}

/** In the middle of a stream, some providers give the error as plain data. */
function messageOf(thrown: unknown): string {
  const at = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  const message = at(thrown, 'message') ?? at(at(thrown, 'error'), 'message') ?? thrown;
  return typeof message === 'string' ? message : inspect(message, { depth: 2 });
}

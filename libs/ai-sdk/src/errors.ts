import { ChatModelException } from '@nestor-ai/core';
import { isPassing } from './passing-failure.js';

/** Which model was asked. */
export interface AskedModel {
  readonly provider?: string | undefined;
  readonly modelName?: string | undefined;
}

/** The fields of the AI SDK's `APICallError`. */
interface ApiCallError {
  readonly statusCode: number;
  readonly responseBody: string;
  readonly responseHeaders: Record<string, string>;
}

/** How Node.js and its HTTP client name what went wrong with a connection. */
const CODE = /^(?:E[A-Z0-9]{2,24}|(?:ERR|UND_ERR)_[A-Z0-9_]{1,48})$/;

/** The name of an error class of the AI SDK. */
const AI_SDK_ERROR = /^AI_\w{1,64}$/;

/** How many causes are looked at. */
const MAX_DEPTH = 8;

/**
 * Makes the error of a failed call: the reason of the abort when it was aborted, else a `ChatModelException`. Its message names provider,
 * model and status, and nothing that the provider said, since it reaches the log.
 *
 * @param thrown what the provider threw, or gave as an error in its stream: in the middle of one, some give plain data
 */
export function toFailure(thrown: unknown, signal: AbortSignal | undefined, model: AskedModel): unknown {
  // Providers wrap the reason of an abort in various ways; the signal knows it.
  if (signal?.aborted) return signal.reason;
  if (thrown instanceof ChatModelException) return thrown;
  const { statusCode, responseBody, responseHeaders } = (thrown ?? {}) as Partial<ApiCallError>;
  const code = codeOf(thrown);
  const status = typeof statusCode === 'number' ? ` (status ${statusCode})` : '';
  return new ChatModelException(`The call to ${named(model)} failed${status}.`, {
    ...(typeof statusCode === 'number' && { httpStatus: statusCode }),
    ...(code !== undefined && { code }),
    ...(responseBody !== undefined && { responseBody }),
    ...(responseHeaders && { responseHeaders }),
    isRetryable: isPassing(thrown),
    cause: thrown,
  });
}

function named({ provider, modelName }: AskedModel): string {
  return `the model${modelName === undefined ? '' : ` '${modelName}'`}${provider === undefined ? '' : ` of ${provider}`}`;
}

/** The code of a failed connection, else the class of an error that the AI SDK threw without calling the provider. */
function codeOf(thrown: unknown): string | undefined {
  const { name } = (thrown ?? {}) as { name?: unknown };
  for (let error = thrown, depth = 0; typeof error === 'object' && error !== null && depth < MAX_DEPTH; depth++) {
    const { code, cause } = error as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && CODE.test(code)) return code;
    error = cause;
  }
  return typeof name === 'string' && name !== 'AI_APICallError' && AI_SDK_ERROR.test(name) ? name : undefined;
}

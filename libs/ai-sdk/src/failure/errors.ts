import { ChatModelException, type Prompt } from '@nestor-ai/core';
import type { AiSdkEmbedder, AiSdkLanguageModel } from '../language-model.js';
import { adviceFor, CERTIFICATE } from './advice.js';
import { isPassing } from './passing-failure.js';

/** The model that was called. */
export interface AskedModel {
  readonly provider?: string | undefined;
  readonly modelName?: string | undefined;
}

/** The model of a provider's package that was called. */
type CalledModel = AiSdkLanguageModel | AiSdkEmbedder;

/** The fields of the AI SDK's `APICallError`. */
interface ApiCallError {
  readonly statusCode: number;
  readonly responseBody: string;
  readonly responseHeaders: Record<string, string>;
  readonly url: string;
}

/** Error codes of Node.js and its HTTP client for connections. */
const CODE = /^(?:E[A-Z0-9]{2,24}|EAI_[A-Z]{2,16}|(?:ERR|UND_ERR)_[A-Z0-9_]{1,48})$/;

/** The name of an error class of the AI SDK. */
const AI_SDK_ERROR = /^AI_\w{1,64}$/;

/** The maximum number of nested causes to check. */
const MAX_DEPTH = 8;

/**
 * Converts the error of a failed call: to the abort reason if it was aborted, otherwise to a
 * `ChatModelException`. The message is logged, so it contains nothing that the provider said: only
 * provider, model, the origin of the address, status or code, and what to check.
 *
 * @param thrown the error from the provider, or an error part of its stream, which may be plain
 * data
 * @param called the model of the package, to name the properties that configure it
 */
export function toFailure(
  thrown: unknown,
  signal: AbortSignal | undefined,
  model: AskedModel,
  called?: CalledModel,
): unknown {
  // Providers wrap the abort reason in various ways. The signal has the original.
  if (signal?.aborted) return signal.reason;
  if (thrown instanceof ChatModelException) return thrown;
  const { statusCode, responseBody, responseHeaders, url } = (thrown ?? {}) as Partial<ApiCallError>;
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  const code = codeOf(thrown);
  const reason = [status === undefined ? undefined : `status ${status}`, code].filter(Boolean).join(', ');
  const origin = originOf(url);
  const text = [
    `The call to ${named(model)}${origin === undefined ? '' : ` at ${origin}`} failed${reason && ` (${reason})`}.`,
    adviceFor({ status, code, origin, hasBody: Boolean(responseBody) }, called),
  ];
  return new ChatModelException(text.filter(Boolean).join(' '), {
    ...(status !== undefined && { httpStatus: status }),
    ...(code !== undefined && { code }),
    ...(responseBody !== undefined && { responseBody }),
    ...(responseHeaders && { responseHeaders }),
    isRetryable: isPassing(thrown),
    isLoggable: true,
    cause: thrown,
  });
}

/** The origin of an address, without user name, path and query, which may contain secrets. */
function originOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return origin === 'null' ? undefined : origin;
}

/** Names a model in messages: `the model 'gpt-5' of openai`. */
export function named({ provider, modelName }: AskedModel): string {
  return `the model${modelName === undefined ? '' : ` '${modelName}'`}${provider === undefined ? '' : ` of ${provider}`}`;
}

/**
 * The code of a failed connection, or else the class of an error that the AI SDK threw without
 * calling the provider.
 */
function codeOf(thrown: unknown): string | undefined {
  const { name } = (thrown ?? {}) as { name?: unknown };
  for (let error = thrown, depth = 0; typeof error === 'object' && error !== null && depth < MAX_DEPTH; depth++) {
    const { code, cause } = error as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && (CODE.test(code) || CERTIFICATE.test(code))) return code;
    error = cause;
  }
  return typeof name === 'string' && name !== 'AI_APICallError' && AI_SDK_ERROR.test(name) ? name : undefined;
}

/** The AI SDK's error for something that a provider package cannot send. */
const UNSUPPORTED = 'AI_UnsupportedFunctionalityError';

/**
 * The error for a prompt with files that the provider package cannot send. Undefined for all other
 * failures.
 *
 * @param thrown the error of the provider package
 */
export function refusedMedia(thrown: unknown, { messages }: Prompt, model: AskedModel): ChatModelException | undefined {
  const { name, functionality } = (thrown ?? {}) as { name?: unknown; functionality?: unknown };
  if (name !== UNSUPPORTED) return undefined;
  const media = messages.flatMap((message) => (message.role === 'user' ? (message.media ?? []) : []));
  if (media.length === 0) return undefined;
  const types = [...new Set(media.map(({ mimeType }) => mimeType))];
  // The package usually names the type.
  const refused = types.filter((type) => String(functionality).includes(type));
  return new ChatModelException(
    `The call to ${named(model)} failed: its package cannot send the files of the message, which have the types ` +
      `${(refused.length > 0 ? refused : types).join(', ')}. Send types that the model takes, or use another model.`,
    { code: UNSUPPORTED, cause: thrown },
  );
}

import { Logger } from '@nestjs/common';
import { forManyListeners } from '../model/aborts.js';
import { retryAfter } from '../execution/retry.js';
import { ChatModelException, loggedMessageOf, retryAfterOf } from '../model/chat-model.exception.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatResponse } from '../model/chat-response.js';
import { errorTypeOf } from '../model/error-type.js';
import type { Prompt } from '../model/prompt.js';
import { hasContent } from '../model/has-content.js';
import { scopeOf } from '../model/scoped-options.js';
import { streamOf } from '../model/stream-of.js';
import { callModel, streamModel } from '../observability/observe-model.js';
import type { StreamRecovery } from '../observability/model-subscriber.js';
import { MODELS } from '../model/model-services.js';

/** How many times Nestor asks a model again by default. */
export const DEFAULT_MODEL_RETRIES = 2;

/** The delay before the first retry, and the longest that a provider may ask for, in milliseconds. */
const DELAYS = { minDelay: 500, maxDelay: 30_000, delayAfter: retryAfterOf };

const PASSING_STATUS: ReadonlySet<number> = new Set([408, 409, 429]);

/** A call of a model, to repeat it. */
export interface ModelCall {
  readonly chatModel: ChatModel;
  readonly prompt: Prompt;
  /** The name with which the request has chosen the model. */
  readonly chosen: string | undefined;
}

/**
 * Asks the model again after a failed call, as often as the application allows. Runs only after a
 * failure, so that a call that succeeds costs nothing more.
 *
 * @throws the last error
 */
export async function callAgain(call: ModelCall, failure: unknown): Promise<ChatResponse> {
  const { chatModel, prompt } = call;
  const retries = retriesOf(call);
  const { signal } = prompt.options ?? {};
  if (retries === 0 || signal?.aborted) throw failure;
  return retryAfter(failure, () => callModel(chatModel, prompt), {
    ...DELAYS,
    retries,
    shouldRetry: toldIfPassing,
    ...(signal && { signal }),
  });
}

/** Like {@link callAgain}, for a stream that fails before it has said anything. */
export function streamAgain<R>(call: ModelCall, pack: (chunk: ChatResponse) => R): StreamRecovery<R> {
  return (failure, target) => {
    const { chatModel, prompt } = call;
    const retries = retriesOf(call);
    const { signal: callerSignal } = prompt.options ?? {};
    if (retries === 0 || callerSignal?.aborted || !isPassing(failure)) return false;
    const again = streamOf<R>(async (output) => {
      const signal = callerSignal ? forManyListeners(AbortSignal.any([callerSignal, output.signal])) : output.signal;
      let hasBegun = false;
      const pass = (chunk: ChatResponse): R => {
        hasBegun ||= hasContent(chunk);
        return pack(chunk);
      };
      const run = (): Promise<void> =>
        output.consume(streamModel(chatModel, prompt, pass), (chunk) => output.emit(chunk));
      const shouldRetry = (error: unknown): boolean => !hasBegun && toldIfPassing(error);
      await retryAfter(failure, run, { ...DELAYS, retries, shouldRetry, signal });
    });
    again.subscribe(target);
    return true;
  };
}

function retriesOf({ chatModel, prompt, chosen }: ModelCall): number {
  return scopeOf(prompt.options)?.services?.get(MODELS)?.retriesOf(chatModel, chosen) ?? 0;
}

/** Like {@link isPassing}. Tells the log why the answer takes longer. */
function toldIfPassing(error: unknown): boolean {
  const passes = isPassing(error);
  if (passes) new Logger('ChatModel').warn(`${failureTextOf(error)} Asking the model again.`);
  return passes;
}

/** What the log may say about a failed call. */
export function failureTextOf(error: unknown): string {
  return loggedMessageOf(error) ?? `The model failed (${errorTypeOf(error)}).`;
}

/** Whether an error may be gone when the same request is sent again, after no longer than the longest delay. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ChatModelException)) return false;
  const { httpStatus, isRetryable } = error;
  const passes = isRetryable || (httpStatus !== undefined && (PASSING_STATUS.has(httpStatus) || httpStatus >= 500));
  return passes && (retryAfterOf(error) ?? 0) <= DELAYS.maxDelay;
}

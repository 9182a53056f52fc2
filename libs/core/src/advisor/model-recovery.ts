import type { Subscriber } from 'rxjs';
import { forManyListeners } from '../model/aborts.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { Prompt } from '../model/prompt.js';
import { scopeOf } from '../model/scoped-options.js';
import { streamOf } from '../model/stream-of.js';
import { callModel, streamModel } from '../observability/observe-model.js';
import type { StreamRecovery } from '../observability/model-subscriber.js';
import type { Advisor } from './advisor.js';
import { hasContent } from './has-content.js';
import { ModelRetryAdvisor } from './model-retry-advisor.js';
import { modelRetrying, retryAfterFailure } from './model-retrying.js';
import { MODELS } from '../model/model-services.js';

/** A call of a model, to repeat it. */
export interface ModelCall {
  readonly chatModel: ChatModel;
  readonly prompt: Prompt;
  /** The name with which the request has chosen the model. */
  readonly chosen: string | undefined;
  /** All advisors of the chain. With a `ModelRetryAdvisor` among them, that one repeats calls. */
  readonly advisors: readonly Advisor[];
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
  return retryAfterFailure(failure, () => callModel(chatModel, prompt), {
    ...modelRetrying({ retries }),
    ...(signal && { signal }),
  });
}

/** Asks the model again when a stream fails before it has said anything. */
export class ModelStreamRecovery<R> implements StreamRecovery<ChatResponse, R> {
  constructor(
    private readonly call: ModelCall,
    private readonly pack: (chunk: ChatResponse) => R,
  ) {}

  isBegun(chunk: ChatResponse): boolean {
    return hasContent(chunk);
  }

  recover(failure: unknown, target: Subscriber<R>): boolean {
    const { chatModel, prompt } = this.call;
    const retries = retriesOf(this.call);
    const { signal: callerSignal } = prompt.options ?? {};
    const retrying = modelRetrying({ retries });
    if (retries === 0 || callerSignal?.aborted || !retrying.shouldRetry(failure)) return false;
    const again = streamOf<R>(async (output) => {
      const signal = callerSignal ? forManyListeners(AbortSignal.any([callerSignal, output.signal])) : output.signal;
      let hasBegun = false;
      const pass = (chunk: ChatResponse): R => {
        hasBegun ||= hasContent(chunk);
        return this.pack(chunk);
      };
      const run = (): Promise<void> =>
        output.consume(streamModel(chatModel, prompt, pass), (chunk) => output.emit(chunk));
      const shouldRetry = (error: unknown): boolean => !hasBegun && retrying.shouldRetry(error);
      await retryAfterFailure(failure, run, { ...retrying, shouldRetry, signal });
    });
    again.subscribe(target);
    return true;
  }
}

function retriesOf({ chatModel, prompt, chosen, advisors }: ModelCall): number {
  const models = scopeOf(prompt.options)?.services?.get(MODELS);
  if (!models || advisors.some((advisor) => advisor instanceof ModelRetryAdvisor)) return 0;
  return models.retriesOf(chatModel, chosen);
}

import { Logger } from '@nestjs/common';
import type { ChatModel } from '../model/chat-model.js';
import { Prompt } from '../model/prompt.js';
import type { Advisor } from './advisor.js';
import { DefaultAdvisorChain, indexOfAdvisor } from './advisor-chain.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import { ChatModelAdvisor } from './chat-model-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { failureTextOf } from './model-recovery.js';
import type { NextHandler } from './next-handler.js';
import { forOtherModel } from './other-model.js';
import { requireOptions } from './required-options.js';
import { checkAdvisorOrder } from './ordered.js';

/** A model, or a name as in the option `model` of a request. */
export type FallbackModel = ChatModel | string;

/** The options of {@link FallbackModelAdvisor}. */
export interface FallbackModelAdvisorOptions {
  /**
   * The models to ask in turn when the client's model fails: models, or names for the
   * `ModelRouter` of the application. A function returns those of a request.
   */
  models: readonly FallbackModel[] | ((request: ChatClientRequest) => readonly FallbackModel[]);
  /** Whether to ask the next model after an error. Default: after every error except an abort. */
  when?: (error: unknown) => boolean;
  /**
   * Default: {@link FallbackModelAdvisor.DEFAULT_ORDER}, before whatever asks the same model again.
   */
  order?: number;
}

/**
 * Asks another model when the client's model fails. Each round of a turn starts with the client's
 * model again. The request's `model` option is removed for other models, because it names the
 * first one. If a stream fails after content was sent, no other model is asked.
 */
export class FallbackModelAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.FallbackModelAdvisor;

  readonly name = 'Fallback Model Advisor';
  override readonly order: number;
  readonly #fallbacksOf: (request: ChatClientRequest) => readonly FallbackModel[];
  readonly #when: (error: unknown) => boolean;
  readonly #logger = new Logger(FallbackModelAdvisor.name);

  /** @throws TypeError if there is no model */
  constructor(options: FallbackModelAdvisorOptions) {
    super();
    const given = requireOptions(FallbackModelAdvisor, options, '{ models: [otherModel] }');
    const { models, when = () => true, order = FallbackModelAdvisor.DEFAULT_ORDER } = given;
    if (typeof models === 'function') {
      this.#fallbacksOf = models;
    } else {
      if (!Array.isArray(models) || models.length === 0) throw new TypeError('models needs at least one ChatModel.');
      const fallbacks = [...models] as FallbackModel[];
      this.#fallbacksOf = () => fallbacks;
    }
    this.#when = when;
    this.order = checkAdvisorOrder(order);
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    let failure: unknown;
    try {
      return await next.handle(request);
    } catch (error) {
      failure = error;
    }
    const fallbacks = this.#fallbacksOf(request);
    for (const [at, model] of fallbacks.entries()) {
      if (next.hasBegun || next.signal?.aborted || !this.#when(failure)) break;
      this.#logger.warn(`${failureTextOf(failure)} Asking fallback model ${at + 1} of ${fallbacks.length}.`);
      try {
        if (typeof model === 'string') return await next.handle(choosing(model, request));
        return await next.handle(forOtherModel(request, model), { chain: this.#chainTo(model, next.advisors) });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * A chain to another model that also runs the advisors for every model, such as one that limits
   * the time.
   */
  #chainTo(model: ChatModel, advisors: readonly Advisor[]): DefaultAdvisorChain {
    const at = indexOfAdvisor(advisors, this);
    const ofEachModel = advisors.slice(at + 1).filter((advisor) => advisor.isOfEachModel);
    const asks = new ChatModelAdvisor(model);
    // Your own advisor may have passed its request to this one, which is not in the chain then.
    if (at < 0) return DefaultAdvisorChain.of(ofEachModel, asks);
    return DefaultAdvisorChain.of([...advisors.slice(0, at + 1), ...ofEachModel], asks).copy(advisors[at]!);
  }
}

/** The request for a model that the application's `ModelRouter` finds, at the end of the chain. */
function choosing(name: string, request: ChatClientRequest): ChatClientRequest {
  const { messages, options } = request.prompt;
  return { ...request, prompt: Prompt.of(messages, { ...options, model: name }) };
}

import { Logger } from '@nestjs/common';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import type { ChatModel } from '../model/chat-model.js';
import { Prompt } from '../model/prompt.js';
import { scopeOf } from '../model/scoped-options.js';
import { errorTypeOf } from '../observability/error-type.js';
import type { Advisor } from './advisor.js';
import { DefaultAdvisorChain, indexOfAdvisor } from './advisor-chain.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import { ChatModelAdvisor } from './chat-model-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { NextHandler } from './next-handler.js';
import { checkAdvisorOrder } from './ordered.js';

/** The options of {@link FallbackModelAdvisor}. */
export interface FallbackModelAdvisorOptions {
  /** The models that are asked when the client's model fails, one after the other. */
  models: readonly ChatModel[];
  /** Which errors lead to the next model. Default: all but an abort. */
  when?: (error: unknown) => boolean;
  /** Default: {@link FallbackModelAdvisor.DEFAULT_ORDER}, before retries, which come first. */
  order?: number;
}

/**
 * Asks another model when the client's model fails. Each round of a turn begins with the client's model again. The other model does
 * not see the option `model` of the request, which names the first one. A stream fails once content has gone out.
 */
export class FallbackModelAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.FallbackModelAdvisor;

  readonly name = 'Fallback Model Advisor';
  override readonly order: number;
  readonly #fallbacks: readonly ChatModel[];
  readonly #when: (error: unknown) => boolean;
  readonly #logger = new Logger(FallbackModelAdvisor.name);

  /** @throws TypeError without a model */
  constructor(options: FallbackModelAdvisorOptions) {
    super();
    const { models, when = () => true, order = FallbackModelAdvisor.DEFAULT_ORDER } = options;
    if (!Array.isArray(models) || models.length === 0) throw new TypeError('models needs at least one ChatModel.');
    this.#fallbacks = [...models] as ChatModel[];
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
    for (const [at, model] of this.#fallbacks.entries()) {
      if (next.hasBegun || next.signal?.aborted || !this.#when(failure)) break;
      this.#logger.warn(
        `The model has failed (${errorTypeOf(failure)}); fallback ${at + 1} of ${this.#fallbacks.length} is asked.`,
      );
      try {
        return await next.handle(forAnother(request, model), { chain: this.#chainTo(model, next.advisors) });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** To another model, through the advisors that belong to the call of each model, such as one that limits its time. */
  #chainTo(model: ChatModel, advisors: readonly Advisor[]): DefaultAdvisorChain {
    const at = indexOfAdvisor(advisors, this);
    const ofEachModel = advisors.slice(at + 1).filter((advisor) => advisor.isOfEachModel);
    const asks = new ChatModelAdvisor(model);
    // An advisor of the application's own may have handed its request to this one, which is not in the chain then.
    if (at < 0) return DefaultAdvisorChain.of(ofEachModel, asks);
    return DefaultAdvisorChain.of([...advisors.slice(0, at + 1), ...ofEachModel], asks).copy(advisors[at]!);
  }
}

/** The request for another model: the name and the default options of the first model give way to those of this one. */
function forAnother(request: ChatClientRequest, model: ChatModel): ChatClientRequest {
  const { messages, options } = request.prompt;
  const { model: _name, ...given } = options ?? {};
  const chosen: { -readonly [Key in keyof ChatOptions]: ChatOptions[Key] } = given;
  const defaults = (scopeOf(options)?.modelDefaults ?? {}) as ChatOptions;
  for (const key of Object.keys(defaults) as (string & keyof ChatOptions)[]) {
    if (!KEPT.has(key) && chosen[key] === defaults[key]) delete chosen[key];
  }
  return { ...request, prompt: Prompt.of(messages, mergeChatOptions(model.defaultOptions, chosen)) };
}

/** Options that belong to the request, whichever model answers it. */
const KEPT: ReadonlySet<string> = new Set(['toolCallbacks', 'toolContext', 'signal']);

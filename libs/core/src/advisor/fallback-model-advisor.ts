import { Logger } from '@nestjs/common';
import { catchError, defer, type Observable, tap, throwError } from 'rxjs';
import { type ChatOptions, MODEL_DEFAULTS, mergeChatOptions } from '../model/chat-options.js';
import type { ChatModel } from '../model/chat-model.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { Prompt } from '../model/prompt.js';
import { errorTypeOf } from '../observability/error-type.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import { ChatModelAdvisor } from './chat-model-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { saysSomething } from './says-something.js';
import { checkAdvisorOrder, Ordered } from './ordered.js';

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
 * Asks another model when the client's fails. Each round of a turn begins with the client's model again. The option `model` of the
 * request is the name of the first model and not handed on. A stream of which something has come is not begun again.
 */
export class FallbackModelAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1100;

  readonly name = 'Fallback Model Advisor';
  readonly order: number;
  readonly #models: readonly { model: ChatModel; advisor: ChatModelAdvisor }[];
  readonly #when: (error: unknown) => boolean;
  readonly #logger = new Logger(FallbackModelAdvisor.name);

  /** @throws TypeError without a model */
  constructor(options: FallbackModelAdvisorOptions) {
    const { models, when = () => true, order = FallbackModelAdvisor.DEFAULT_ORDER } = options;
    if (!Array.isArray(models) || models.length === 0) throw new TypeError('models needs at least one ChatModel.');
    this.#models = (models as ChatModel[]).map((model) => ({ model, advisor: new ChatModelAdvisor(model) }));
    this.#when = when;
    this.order = checkAdvisorOrder(order);
  }

  static builder(): FluentBuilder<FallbackModelAdvisorOptions, FallbackModelAdvisor> {
    return fluentBuilder((options: FallbackModelAdvisorOptions) => new FallbackModelAdvisor(options));
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const ask = async (at: number): Promise<ChatClientResponse> => {
      try {
        return await (at < 0 ? chain.nextCall(request) : this.#askNext(at).adviseCall(this.#for(at, request)));
      } catch (error) {
        if (!this.#hasNext(request, at, error)) throw error;
        return ask(at + 1);
      }
    };
    return ask(-1);
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    const ask = (at: number): Observable<ChatClientResponse> =>
      defer(() => {
        let hasBegun = false;
        const chunks = defer(() =>
          at < 0 ? chain.nextStream(request) : this.#askNext(at).adviseStream(this.#for(at, request)),
        );
        return chunks.pipe(
          tap(({ chatResponse }) => {
            hasBegun ||= saysSomething(chatResponse);
          }),
          catchError((error: unknown) =>
            hasBegun || !this.#hasNext(request, at, error) ? throwError(() => error) : ask(at + 1),
          ),
        );
      });
    return ask(-1);
  }

  #askNext(at: number): ChatModelAdvisor {
    return this.#models[at]!.advisor;
  }

  #for(at: number, request: ChatClientRequest): ChatClientRequest {
    return forAnother(request, this.#models[at]!.model);
  }

  #hasNext({ prompt }: ChatClientRequest, at: number, error: unknown): boolean {
    if (at + 1 >= this.#models.length || prompt.options?.signal?.aborted || !this.#when(error)) return false;
    this.#logger.warn(
      `The model has failed (${errorTypeOf(error)}); fallback ${at + 2} of ${this.#models.length} is asked.`,
    );
    return true;
  }
}

/** What is the first model's own, its name and its default options, gives way to what is this one's. */
function forAnother(request: ChatClientRequest, model: ChatModel): ChatClientRequest {
  const { messages, options } = request.prompt;
  const { model: _name, [MODEL_DEFAULTS]: defaults = {}, ...given } = options ?? {};
  const chosen = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => KEPT.has(key) || value !== defaults[key as keyof ChatOptions]),
  );
  const symbols = Object.getOwnPropertySymbols(given).map((key) => [key, (given as Record<symbol, unknown>)[key]]);
  const merged = mergeChatOptions(model.defaultOptions, { ...chosen, ...Object.fromEntries(symbols) });
  return { ...request, prompt: Prompt.of(messages, merged) };
}

/** What belongs to the request, whoever answers it. */
const KEPT: ReadonlySet<string> = new Set(['toolCallbacks', 'toolContext', 'signal']);

import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { fromMessageJson, type MessageJson, toMessageJson } from '../memory/message-json.js';
import type { Awaitable } from '../model/awaitable.js';
import { offeredToolDefinitions } from '../model/chat-options.js';
import { ChatResponse, type ChatResponseMetadata, type GenerationMetadata } from '../model/chat-response.js';
import { FinishReason } from '../model/finish-reason.js';
import type { AssistantMessage } from '../model/messages.js';
import { stableJson } from '../model/stable-json.js';
import { parseJson } from '../tool/input/parse-json.js';
import { errorTypeOf } from '../observability/error-type.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { ChatClientContextKeys } from './advisor-params.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { NextHandler } from './next-handler.js';
import { checkAdvisorOrder } from './ordered.js';
import { cleanOutput } from './structured-output/output-text.js';

/** Keeps responses. The `Cache` of cache-manager, and so `CACHE_MANAGER` of `@nestjs/cache-manager`, is one. */
export interface ResponseCache {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttl?: number): Promise<unknown>;
}

/** The options of {@link ResponseCacheAdvisor}. */
export interface ResponseCacheAdvisorOptions {
  cache: ResponseCache;
  /** How long a response is kept, in milliseconds. Default: as the cache says. */
  ttl?: number;
  /**
   * The key of a request; undefined for one whose response is not kept. Default: a hash of the messages, the tools offered and the
   * options, so that only equal requests share a response. Clients of different models need caches, or keys, of their own.
   */
  key?: (request: ChatClientRequest) => Awaitable<string | undefined>;
  /** Default: {@link ResponseCacheAdvisor.DEFAULT_ORDER}, next to the model, so that tools run all the same. */
  order?: number;
}

interface Kept {
  readonly results: readonly { readonly output: MessageJson; readonly metadata?: GenerationMetadata }[];
  readonly metadata: ChatResponseMetadata;
}

/**
 * Answers a request with the kept response of an equal one. Only the model's answers are kept: guards, tools and memory do their work
 * each time. The metadata of a kept response has `cached: true` and no usage. A cache that fails counts as empty, with a warning.
 */
export class ResponseCacheAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.ResponseCacheAdvisor;

  readonly name = 'Response Cache Advisor';
  override readonly order: number;
  readonly #options: ResponseCacheAdvisorOptions;
  readonly #logger = new Logger(ResponseCacheAdvisor.name);

  /** @throws TypeError without a cache */
  constructor(options: ResponseCacheAdvisorOptions) {
    super();
    if (typeof options?.cache?.get !== 'function' || typeof options.cache.set !== 'function') {
      throw new TypeError('cache must be one of cache-manager, such as CACHE_MANAGER of @nestjs/cache-manager.');
    }
    this.order = checkAdvisorOrder(options.order ?? ResponseCacheAdvisor.DEFAULT_ORDER);
    this.#options = options;
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const key = await this.#keyOf(request);
    const kept = await this.#read(key);
    if (kept) return { chatResponse: kept, context: request.context };
    const response = await next.handle(request);
    await this.#keep(key, request, response.chatResponse);
    return response;
  }

  async #keyOf(request: ChatClientRequest): Promise<string | undefined> {
    // The last answer did not fit, so the same one would not either.
    if (request.context[ChatClientContextKeys.VALIDATION_ATTEMPT] !== undefined) return undefined;
    try {
      return await (this.#options.key ?? keyOf)(request);
    } catch (error) {
      this.#logger.warn(`A response is not kept, since its request has no key: ${errorTypeOf(error)}`);
      return undefined;
    }
  }

  async #read(key: string | undefined): Promise<ChatResponse | undefined> {
    if (key === undefined) return undefined;
    try {
      const kept = (await this.#options.cache.get(key)) as Kept | undefined | null;
      return kept ? toResponse(kept) : undefined;
    } catch (error) {
      this.#logger.warn(`The cache of responses cannot be read: ${errorTypeOf(error)}`);
      return undefined;
    }
  }

  async #keep(
    key: string | undefined,
    { context }: ChatClientRequest,
    response: ChatResponse | undefined,
  ): Promise<void> {
    if (key === undefined || !response?.result || response.metadata['cached']) return;
    // An answer that was cut off or refused may be whole the next time.
    const { finishReason = FinishReason.STOP } = response.result.metadata ?? {};
    if (finishReason !== FinishReason.STOP && finishReason !== FinishReason.TOOL_CALLS) return;
    // An answer without the form that was asked for would not fit the next time either.
    const isJsonWanted = context[ChatClientContextKeys.STRUCTURED_OUTPUT_SCHEMA] !== undefined;
    if (isJsonWanted && !response.hasToolCalls() && parseJson(cleanOutput(response.text ?? '')) === undefined) return;
    try {
      await this.#options.cache.set(key, toKept(response), this.#options.ttl);
    } catch (error) {
      this.#logger.warn(`The cache of responses cannot be written: ${errorTypeOf(error)}`);
    }
  }
}

const FORM_KEYS = [
  ChatClientContextKeys.OUTPUT_FORMAT,
  ChatClientContextKeys.STRUCTURED_OUTPUT_SCHEMA,
  ChatClientContextKeys.STRUCTURED_OUTPUT_NATIVE,
];

function keyOf({ prompt, context }: ChatClientRequest): string {
  const { toolCallbacks: _tools, toolContext: _toolContext, signal: _signal, ...options } = prompt.options ?? {};
  const asked = [
    prompt.messages.map(toMessageJson),
    offeredToolDefinitions(prompt.options),
    options,
    FORM_KEYS.map((key) => context[key]),
  ];
  return `nestor:${createHash('sha256')
    .update(stableJson(JSON.parse(JSON.stringify(asked))))
    .digest('base64url')}`;
}

function toKept({ results, metadata }: ChatResponse): Kept {
  const { usage: _usage, usageByRound: _byRound, round: _round, ...rest } = metadata;
  return {
    results: results.map(({ output, metadata: facts }) => ({
      output: toMessageJson(output),
      ...(facts && { metadata: facts }),
    })),
    metadata: rest,
  };
}

function toResponse({ results, metadata }: Kept): ChatResponse {
  return new ChatResponse({
    results: results.map(({ output, metadata: facts }) => ({
      output: fromMessageJson(output) as AssistantMessage,
      ...(facts && { metadata: facts }),
    })),
    metadata: { ...metadata, cached: true },
  });
}

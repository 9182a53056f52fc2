import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { concat, defer, from, type Observable, of, switchMap } from 'rxjs';
import { fromMessageJson, type MessageJson, toMessageJson } from '../memory/message-json.js';
import type { Awaitable } from '../model/awaitable.js';
import { offeredToolDefinitions } from '../model/chat-options.js';
import { ChatResponse, type ChatResponseMetadata, type GenerationMetadata } from '../model/chat-response.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import type { AssistantMessage } from '../model/messages.js';
import { stableJson } from '../model/stable-json.js';
import { parseJson } from '../tool/input/parse-json.js';
import { errorTypeOf } from '../observability/error-type.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import { ChatClientContextKeys } from './advisor-params.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ChatClientMessageAggregator } from './chat-client-message-aggregator.js';
import { checkAdvisorOrder, Ordered } from './ordered.js';
import { cleanOutput } from './structured-output/output-text.js';

/** What responses are kept in. The `Cache` of cache-manager, and so `CACHE_MANAGER` of `@nestjs/cache-manager`, is one. */
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
 * Gives the response of an equal request made before. Only the model's answers are kept: guards, tools and memory do their work
 * each time. A kept response says so in its metadata: `cached: true`, without the usage that it does not cause. A cache that
 * fails is as good as empty.
 */
export class ResponseCacheAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1200;

  readonly name = 'Response Cache Advisor';
  readonly order: number;
  readonly #options: ResponseCacheAdvisorOptions;
  readonly #logger = new Logger(ResponseCacheAdvisor.name);

  /** @throws TypeError without a cache */
  constructor(options: ResponseCacheAdvisorOptions) {
    if (typeof options?.cache?.get !== 'function' || typeof options.cache.set !== 'function') {
      throw new TypeError('cache must be one of cache-manager, such as CACHE_MANAGER of @nestjs/cache-manager.');
    }
    this.order = checkAdvisorOrder(options.order ?? ResponseCacheAdvisor.DEFAULT_ORDER);
    this.#options = options;
  }

  static builder(): FluentBuilder<ResponseCacheAdvisorOptions, ResponseCacheAdvisor> {
    return fluentBuilder((options: ResponseCacheAdvisorOptions) => new ResponseCacheAdvisor(options));
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const key = await this.#keyOf(request);
    const kept = await this.#read(key);
    if (kept) return { chatResponse: kept, context: request.context };
    const response = await chain.nextCall(request);
    await this.#keep(key, request, response.chatResponse);
    return response;
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return defer(() => from(this.#lookUp(request))).pipe(
      switchMap(({ key, kept }) => {
        if (kept) return of({ chatResponse: kept, context: request.context });
        let keeping: Promise<void> | undefined;
        const chunks = new ChatClientMessageAggregator().aggregateChatClientResponse(
          chain.nextStream(request),
          (response) => {
            keeping = this.#keep(key, request, response.chatResponse);
          },
        );
        return concat(chunks, defer(async () => keeping).pipe(switchMap(() => [])));
      }),
    );
  }

  async #lookUp(request: ChatClientRequest): Promise<{ key: string | undefined; kept: ChatResponse | undefined }> {
    const key = await this.#keyOf(request);
    return { key, kept: await this.#read(key) };
  }

  async #keyOf(request: ChatClientRequest): Promise<string | undefined> {
    // Who asks again wants another answer.
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
    // What was cut off or refused may be whole the next time.
    const { finishReason } = response.result.metadata ?? {};
    if (finishReason !== undefined && finishReason !== 'stop' && finishReason !== 'tool-calls') return;
    // An answer without the form that was asked for helps nobody the next time.
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

import { Logger } from '@nestjs/common';
import {
  advisorsBehind,
  type Awaitable,
  checkAdvisorOrder,
  checkTimeout,
  inTime,
  isMemoryAdvisor,
  isToolAdvisor,
  SingleFlight,
} from '@nestor-ai/core/internal';
import {
  type Advisor,
  AroundAdvisor,
  ChatClientContextKeys,
  type ChatClientRequest,
  type ChatClientResponse,
  type ChatResponse,
  errorTypeOf,
  type NextHandler,
  untilAborted,
  Ordered,
} from '@nestor-ai/core';
import { UnknownContentException } from '@nestor-ai/schema';
import { type KeptResponse, toKept, toResponse } from './kept-response.js';
import { keyOf } from './response-key.js';

/**
 * A cache for responses, such as the `Cache` of cache-manager: `CACHE_MANAGER` of
 * `@nestjs/cache-manager`.
 */
export interface ResponseCache {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttl?: number): Promise<unknown>;
}

/** The options of {@link ResponseCacheAdvisor}. */
export interface ResponseCacheAdvisorOptions {
  /**
   * The cache for the responses: a cache of `cache-manager`, or an object with `get()` and
   * `set()`.
   */
  cache: ResponseCache;
  /** How long a response is kept, in milliseconds. Default: the default of the cache. */
  ttl?: number;
  /**
   * How long to wait for each read and each write of the cache, and for an asynchronous `key`, in
   * milliseconds. After that, the cache counts as empty. `Infinity` for no limit. Default: 1000.
   */
  timeout?: number;
  /**
   * Returns the cache key of a request, or undefined to skip the cache. Default: a hash of the
   * messages, the offered tools and the options, so that only equal requests share a response.
   * Requests with functions or class instances in their options or metadata are not cached, and a
   * warning is logged. Clients of different models need separate caches or keys.
   */
  key?: (request: ChatClientRequest) => Awaitable<string | undefined>;
  /**
   * Default: {@link ResponseCacheAdvisor.DEFAULT_ORDER}, next to the model, so that tools still
   * run. Before the tool loop or a memory, nothing is cached without a `key`, which must tell
   * users and conversations apart.
   */
  order?: number;
}

/** The default time to wait for the cache, in milliseconds. */
const DEFAULT_TIMEOUT = 1000;

/**
 * Answers a request with the cached response of an equal one. Only answers of the model are
 * cached: guards, tools and memory run every time. The metadata of a cached response has `cached:
 * true` and no usage. If the cache fails or does not answer in time, it counts as empty, and a
 * warning is logged.
 *
 * Concurrent equal requests ask the model once. The others wait for its answer and get it as a
 * cached one. Failures and answers that are not cached are not shared: each waiting request then
 * asks the model itself. If the first request is aborted, the next one asks instead.
 */
export class ResponseCacheAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1200;

  readonly name = 'Response Cache Advisor';
  override readonly order: number;
  readonly #options: ResponseCacheAdvisorOptions;
  readonly #timeout: number;
  readonly #asking = new SingleFlight<KeptResponse>();
  readonly #logger = new Logger(ResponseCacheAdvisor.name);

  /**
   * @throws TypeError if there is no cache
   * @throws RangeError if a timer cannot wait for the timeout
   */
  constructor(options: ResponseCacheAdvisorOptions) {
    super();
    if (typeof options?.cache?.get !== 'function' || typeof options.cache.set !== 'function') {
      throw new TypeError(
        'ResponseCacheAdvisor needs a cache with get() and set(), such as CACHE_MANAGER of @nestjs/cache-manager.',
      );
    }
    this.order = checkAdvisorOrder(options.order ?? ResponseCacheAdvisor.DEFAULT_ORDER);
    const { timeout = DEFAULT_TIMEOUT } = options;
    checkTimeout(timeout);
    this.#timeout = timeout;
    this.#options = options;
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { signal } = next;
    const making = this.#keyOf(request, next);
    const key = await (signal ? untilAborted(signal, making) : making);
    if (key === undefined) return next.handle(request);
    return this.#asking.run(key, {
      run: () => this.#answer(key, request, next, signal),
      share: ({ chatResponse }) => this.#toKept(chatResponse, request),
      accept: (kept) => ({ chatResponse: toResponse(kept), context: request.context }),
      signal,
    });
  }

  async #answer(
    key: string,
    request: ChatClientRequest,
    next: NextHandler,
    signal: AbortSignal | undefined,
  ): Promise<ChatClientResponse> {
    const known = await this.#read(key);
    if (known) return { chatResponse: known, context: request.context };
    // The caller has left while the cache was read.
    signal?.throwIfAborted();
    const response = await next.handle(request);
    const isKept = response.chatResponse?.metadata['cached'];
    const kept = isKept ? undefined : this.#toKept(response.chatResponse, request);
    if (kept) await this.#write(key, kept);
    return response;
  }

  async #keyOf(request: ChatClientRequest, next: NextHandler): Promise<string | undefined> {
    // The last answer did not fit, and the cached one could be that answer.
    if (request.context[ChatClientContextKeys.VALIDATION_ATTEMPT] !== undefined) return undefined;
    // The request does not contain the results of tools or the memory yet.
    const unknown = this.#options.key ? undefined : this.#tellerBehind(next);
    if (unknown) {
      this.#logger.warn(
        "A response is not cached. Leave out the option 'order' of ResponseCacheAdvisor, or set its option 'key': it " +
          `runs before '${unknown.name}', so equal requests of different users may have different answers.`,
      );
      return undefined;
    }
    try {
      return await this.#inTime(async () => (this.#options.key ?? keyOf)(request));
    } catch (error) {
      this.#logger.warn(`A response is not cached because its request has no key: ${whyOf(error)}`);
      return undefined;
    }
  }

  /**
   * An advisor after this one whose answers depend on more than the request: a tool loop, whose
   * tools know the user, or a memory.
   */
  #tellerBehind({ advisors, isInsideLoop }: NextHandler): Advisor | undefined {
    const isTeller = (advisor: Advisor): boolean =>
      isMemoryAdvisor(advisor) || (!isInsideLoop && isToolAdvisor(advisor));
    return advisorsBehind(this, advisors).find(isTeller);
  }

  async #read(key: string): Promise<ChatResponse | undefined> {
    try {
      const kept = (await this.#inTime(() => this.#options.cache.get(key))) as KeptResponse | undefined | null;
      return kept ? toResponse(kept) : undefined;
    } catch (error) {
      this.#logger.warn(`The response cache cannot be read: ${whyOf(error)}`);
      return undefined;
    }
  }

  #toKept(response: ChatResponse | undefined, request: ChatClientRequest): KeptResponse | undefined {
    try {
      return toKept(response, request);
    } catch (error) {
      this.#logger.warn(`A response cannot be cached: ${errorTypeOf(error)}`);
      return undefined;
    }
  }

  async #write(key: string, kept: KeptResponse): Promise<void> {
    try {
      await this.#inTime(() => this.#options.cache.set(key, kept, this.#options.ttl));
    } catch (error) {
      this.#logger.warn(`The response cache cannot be written: ${whyOf(error)}`);
    }
  }

  /** @throws CacheTimeout if the cache does not answer in time */
  async #inTime<T>(run: () => Promise<T>): Promise<T> {
    const limit = this.#timeout;
    if (limit === Number.POSITIVE_INFINITY) return run();
    return inTime(run(), limit, () => new CacheTimeout(limit));
  }
}

/** The cache did not answer in time. */
class CacheTimeout extends Error {
  constructor(limit: number) {
    super(`it did not answer within ${limit} ms. To wait longer, set the option 'timeout' of ResponseCacheAdvisor.`);
  }
}

function whyOf(error: unknown): string {
  if (error instanceof UnknownContentException)
    return `${error.message}. Leave it out, or set the option 'key' of ResponseCacheAdvisor.`;
  return error instanceof CacheTimeout ? error.message : errorTypeOf(error);
}

import type { Observable } from 'rxjs';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import { streamOf } from '../model/stream-of.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { CallHandler, type NextHandler, StreamHandler } from './next-handler.js';

/**
 * An advisor with one method, `around`, for both calls and streams.
 *
 * @example
 * class Stopwatch extends AroundAdvisor {
 *   readonly name = 'Stopwatch';
 *
 *   async around(request: ChatClientRequest, next: NextHandler) {
 *     const start = performance.now();
 *     const response = await next.handle(request);
 *     console.log(`${response.chatResponse?.text} took ${performance.now() - start} ms`);
 *     return response;
 *   }
 * }
 */
export abstract class AroundAdvisor implements CallAdvisor, StreamAdvisor {
  abstract readonly name: string;
  readonly order: number = 0;

  /** A builder for the options of a subclass: `X.builder().a(1).build()` is `new X({ a: 1 })`. */
  static builder<Class extends MadeOfOptions<AroundAdvisor>>(this: Class): BuilderOf<Class> {
    return builderOf(this);
  }

  /**
   * Answers a request, usually with the response of `next.handle()`.
   *
   * @returns the whole response. When streaming, the response of `next.handle()` has already been
   *   sent in chunks and can no longer be changed; a response of your own is sent as one chunk.
   */
  abstract around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse>;

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    return this.around(request, new CallHandler(chain, request));
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return streamOf(async (output) => {
      const next = new StreamHandler(chain, request, output);
      const response = await this.around(request, next);
      if (!next.hasSent(response)) output.emit(response);
    });
  }
}

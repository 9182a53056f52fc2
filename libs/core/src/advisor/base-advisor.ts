import { defer, from, map, mergeMap, type Observable } from 'rxjs';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';

/** An advisor that runs before the rest of the chain, after it, or both. */
export abstract class BaseAdvisor implements CallAdvisor, StreamAdvisor {
  abstract readonly name: string;
  readonly order: number = 0;

  /** Receives the request and returns the request for the rest of the chain. */
  before(request: ChatClientRequest): ChatClientRequest | Promise<ChatClientRequest> {
    return request;
  }

  /**
   * Receives the response and returns the one to pass back. When streaming, it is called for each
   * chunk.
   */
  after(response: ChatClientResponse): ChatClientResponse {
    return response;
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    return this.after(await chain.nextCall(await this.before(request)));
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return defer(() => from(Promise.resolve(this.before(request)))).pipe(
      mergeMap((advised) => chain.nextStream(advised)),
      map((response) => this.after(response)),
    );
  }
}

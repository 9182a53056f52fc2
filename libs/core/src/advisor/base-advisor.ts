import { defer, from, map, mergeMap, type Observable } from 'rxjs';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';

/** An advisor that does something before the rest of the chain, something after it, or both. */
export abstract class BaseAdvisor implements CallAdvisor, StreamAdvisor {
  abstract readonly name: string;
  readonly order: number = 0;

  /** Sees the request, and returns the one to go on with. */
  before(request: ChatClientRequest): ChatClientRequest | Promise<ChatClientRequest> {
    return request;
  }

  /** Sees the response, and returns the one to go on with; when streaming, called for each chunk. */
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

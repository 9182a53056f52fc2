import { defer, filter, from, map, type Observable, switchMap } from 'rxjs';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import type { DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import type { ChatResponse } from '../model/chat-response.js';

/** A request that is ready to be made, any number of times. */
export interface PreparedRequest {
  readonly chain: DefaultAdvisorChain;
  /** A promise only when tools have to be asked for. */
  readonly request: () => ChatClientRequest | Promise<ChatClientRequest>;
}

/** The answer in one piece. Each method makes the request anew. */
export class CallResponseSpec {
  constructor(private readonly prepared: PreparedRequest) {}

  /** The text of the answer; undefined when there is none. */
  async content(): Promise<string | undefined> {
    return (await this.chatClientResponse()).chatResponse?.text;
  }

  /** The answer with its metadata; undefined when an advisor answered without a model. */
  async chatResponse(): Promise<ChatResponse | undefined> {
    return (await this.chatClientResponse()).chatResponse;
  }

  /** The answer, and what the advisors left in the context. */
  async chatClientResponse(): Promise<ChatClientResponse> {
    return this.prepared.chain.nextCall(await this.prepared.request());
  }
}

/**
 * The answer in chunks. Each Observable makes the request when it is subscribed, again for each
 * subscription; unsubscribing aborts the model call and the running tools.
 */
export class StreamResponseSpec {
  constructor(private readonly prepared: PreparedRequest) {}

  /** The pieces of text of every round as they come. */
  content(): Observable<string> {
    return this.chatClientResponse().pipe(
      map(({ chatResponse }) => chatResponse?.text ?? ''),
      filter((text) => text !== ''),
    );
  }

  /** The chunks with their metadata, of every round. */
  chatResponse(): Observable<ChatResponse> {
    return this.chatClientResponse().pipe(
      map(({ chatResponse }) => chatResponse),
      filter((chunk) => chunk !== undefined),
    );
  }

  /** The chunks, and what the advisors left in the context. */
  chatClientResponse(): Observable<ChatClientResponse> {
    const { chain, request } = this.prepared;
    return defer(() => {
      const prepared = request();
      return prepared instanceof Promise
        ? from(prepared).pipe(switchMap((ready) => chain.nextStream(ready)))
        : chain.nextStream(prepared);
    });
  }
}

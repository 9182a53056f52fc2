import { defer, type Observable, tap } from 'rxjs';
import { ChatResponseAggregation } from '../model/message-aggregator.js';
import type { AdvisorContext, ChatClientResponse } from './chat-client-exchange.js';

/** Combines the chunks of a streamed answer and their contexts. */
export class ChatClientResponseAggregation {
  readonly #chunks = new ChatResponseAggregation();
  #context: AdvisorContext = {};
  #last: AdvisorContext | undefined;

  /** Adds the next chunk. */
  add({ chatResponse, context }: ChatClientResponse): void {
    if (chatResponse) this.#chunks.add(chatResponse);
    // Nearly all chunks of an answer share one context object.
    if (context === this.#last) return;
    this.#last = context;
    this.#context = { ...this.#context, ...context };
  }

  /** The whole answer so far. */
  get response(): ChatClientResponse {
    const chatResponse = this.#chunks.response;
    return { context: this.#context, ...(chatResponse && { chatResponse }) };
  }
}

/**
 * Passes a stream through and reports the whole answer at the end, with the context of all its
 * chunks.
 */
export class ChatClientMessageAggregator {
  /**
   * @param stream the chunks, which pass through unchanged as they arrive
   * @param onComplete receives the whole answer, once per subscription. Not called after an error
   *   or an unsubscribe
   */
  aggregateChatClientResponse(
    stream: Observable<ChatClientResponse>,
    onComplete: (response: ChatClientResponse) => void,
  ): Observable<ChatClientResponse> {
    return defer(() => {
      const aggregation = new ChatClientResponseAggregation();
      return stream.pipe(
        tap({ next: (chunk) => aggregation.add(chunk), complete: () => onComplete(aggregation.response) }),
      );
    });
  }
}

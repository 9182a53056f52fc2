import { defer, type Observable, tap } from 'rxjs';
import { ChatResponseAggregation } from '../model/message-aggregator.js';
import type { AdvisorContext, ChatClientResponse } from './chat-client-exchange.js';

/** Passes a streamed answer through and hands over the whole answer, with the context of all its chunks. */
export class ChatClientMessageAggregator {
  /**
   * @param stream the chunks, which pass through unchanged as they arrive
   * @param onComplete receives the whole answer, once per subscription; not called on an error or a cancel
   */
  aggregateChatClientResponse(
    stream: Observable<ChatClientResponse>,
    onComplete: (response: ChatClientResponse) => void,
  ): Observable<ChatClientResponse> {
    return defer(() => {
      const aggregation = new ChatResponseAggregation();
      let context: AdvisorContext = {};
      return stream.pipe(
        tap({
          next: (response) => {
            if (response.chatResponse) aggregation.add(response.chatResponse);
            context = { ...context, ...response.context };
          },
          complete: () => {
            const chatResponse = aggregation.response;
            onComplete({ context, ...(chatResponse && { chatResponse }) });
          },
        }),
      );
    });
  }
}

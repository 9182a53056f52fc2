import { Observable, type Observer } from 'rxjs';
import type { ChatResponse } from '../model/chat-response.js';
import { tellAnswered, tellResponse } from '../observability/follow-turn.js';
import type { ChatClientResponse } from './chat-client-exchange.js';

/** Reports the chunks of an answer. A subscriber that leaves counts as an abort. */
export function watchedStream(
  answer: Observable<ChatClientResponse>,
  watch: Observer<ChatResponse>,
): Observable<ChatClientResponse> {
  return new Observable((subscriber) => {
    let hasEnded = false;
    const subscription = answer.subscribe({
      next: (response) => {
        tellResponse(watch, response.chatResponse);
        subscriber.next(response);
      },
      error: (error: unknown) => {
        hasEnded = true;
        tellAnswered(watch, { error });
        subscriber.error(error);
      },
      complete: () => {
        hasEnded = true;
        tellAnswered(watch);
        subscriber.complete();
      },
    });
    return () => {
      subscription.unsubscribe();
      if (!hasEnded) tellAnswered(watch, { error: new DOMException('The stream was unsubscribed.', 'AbortError') });
    };
  });
}

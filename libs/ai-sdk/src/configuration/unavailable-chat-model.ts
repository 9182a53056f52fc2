import { AiBootstrapException, ChatModel, type ChatResponse } from '@nestor-ai/core';
import { type Observable, throwError } from 'rxjs';

/** Placeholder for a model that could not be created. The bootstrap reports the reason. */
export class UnavailableChatModel extends ChatModel {
  constructor(readonly problems: readonly string[]) {
    super();
  }

  override verify(): void {
    throw new AiBootstrapException(this.problems);
  }

  call(): Promise<ChatResponse> {
    return Promise.reject(this.#error());
  }

  stream(): Observable<ChatResponse> {
    return throwError(() => this.#error());
  }

  #error(): Error {
    return new Error(this.problems.join(' '));
  }
}

import { AiBootstrapException, ChatModel, type ChatResponse } from '@nestor-ai/core';
import { type Observable, throwError } from 'rxjs';

/** Stands for a model that could not be made, until the bootstrap says why. */
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

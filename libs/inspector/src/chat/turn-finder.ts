import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  type NextHandler,
  Turn,
} from '@nestor-ai/core';

/** Tells the id of the turn of a request, once. */
export class TurnFinder extends AroundAdvisor {
  readonly name = 'Inspector';
  #isFound = false;

  constructor(private readonly found: (turnId: string) => void) {
    super();
  }

  around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const turn = Turn.of(request);
    if (turn && !this.#isFound) {
      this.#isFound = true;
      this.found(turn.id);
    }
    return next.handle(request);
  }
}

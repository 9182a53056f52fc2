import type { Awaitable } from './awaitable.js';
import type { ChatResponse } from './chat-response.js';
import type { Message } from './messages.js';

/** How a turn ended. */
export type TurnOutcome =
  | {
      /** `suspended`: the turn waits for approval and resumes in another request. */
      readonly status: 'completed' | 'suspended';
      /**
       * The messages of the turn, from the question to the last tool responses, without the
       * answer.
       */
      readonly messages: readonly Message[];
      /** The number of model calls. */
      readonly rounds: number;
      /** The answer. */
      readonly response: ChatResponse | undefined;
    }
  | { readonly status: 'failed'; readonly error: unknown };

/** Called with the outcome of a turn, and awaited. An error fails a turn that had succeeded. */
export type TurnEndListener = (outcome: TurnOutcome) => Awaitable<void>;

/** The listeners for the end of a turn. */
export class TurnEnding {
  readonly #listeners: TurnEndListener[] = [];

  add(listener: TurnEndListener): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners and returns the final outcome: an error of a listener fails the turn. */
  async tell(outcome: TurnOutcome): Promise<TurnOutcome> {
    let known = outcome;
    for (const listener of this.#listeners) {
      try {
        await listener(known);
      } catch (error) {
        if (known.status !== 'failed') known = { status: 'failed', error };
      }
    }
    return known;
  }
}

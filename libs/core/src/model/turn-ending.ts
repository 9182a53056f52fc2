import type { Awaitable } from './awaitable.js';
import type { ChatResponse } from './chat-response.js';
import type { Message } from './messages.js';

/** How a turn ended. */
export type TurnOutcome =
  | {
      /** `suspended`: it waits for approval, and goes on in another request. */
      readonly status: 'completed' | 'suspended';
      /** The messages of the turn, from what was asked to the last tool responses; the answer is not among them. */
      readonly messages: readonly Message[];
      /** How many rounds of model calls there were. */
      readonly rounds: number;
      /** The answer. */
      readonly response: ChatResponse | undefined;
    }
  | { readonly status: 'failed'; readonly error: unknown };

/** Told how a turn ended. It is waited for; what it throws fails a turn that had succeeded. */
export type TurnEndListener = (outcome: TurnOutcome) => Awaitable<void>;

/** Those who want to know how a turn ends. */
export class TurnEnding {
  readonly #listeners: TurnEndListener[] = [];
  readonly #watchers: TurnEndListener[] = [];

  add(listener: TurnEndListener): void {
    this.#listeners.push(listener);
  }

  /** Told after all others. */
  watch(listener: TurnEndListener): void {
    this.#watchers.push(listener);
  }

  /** Tells them, and gives what has become of the turn by that: what one of them throws fails it. */
  async tell(outcome: TurnOutcome): Promise<TurnOutcome> {
    let known = outcome;
    for (const listener of [...this.#listeners, ...this.#watchers]) {
      try {
        await listener(known);
      } catch (error) {
        if (known.status !== 'failed') known = { status: 'failed', error };
      }
    }
    return known;
  }
}

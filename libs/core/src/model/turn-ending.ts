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

import type { AnyFinishReason } from '../../model/finish-reason.js';
import type { TurnEvent } from '../../model/turn-event.js';
import type { Usage } from '../../model/usage.js';

/** Where an event comes from. */
export interface AiEventOrigin {
  /** The name of the client. `default` is the client that is injected as `ChatClient`. */
  readonly client: string;
  /** The same for all events of one turn, even if it was suspended and resumed. */
  readonly turnId: string;
}

/** A turn has started. The model has not been called yet. */
export interface TurnStartEvent {
  readonly type: 'turn-start';
}

/** A turn has ended. */
export interface TurnEndEvent {
  readonly type: 'turn-end';
  /** `suspended`: the turn waits for approval. */
  readonly status: 'completed' | 'suspended' | 'failed';
  /** The number of rounds. Missing if the turn failed. */
  readonly rounds?: number;
  /** Why the answer ended. See `FinishReason`. */
  readonly finishReason?: AnyFinishReason;
  /** The tokens of all rounds. */
  readonly usage?: Usage;
  /** The error, if the turn failed. */
  readonly error?: unknown;
  /** The duration of the turn in milliseconds. */
  readonly duration: number;
}

/** An event in a turn of any client of the application. */
export type AiEvent = AiEventOrigin & (TurnStartEvent | TurnEvent | TurnEndEvent);

/** The event with this type. */
export type AiEventOf<Type extends AiEvent['type']> = Extract<AiEvent, { readonly type: Type }>;

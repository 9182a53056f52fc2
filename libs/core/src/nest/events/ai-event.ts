import type { TurnEvent } from '../../model/turn-event.js';
import type { Usage } from '../../model/usage.js';

/** Where something has happened. */
export interface AiEventOrigin {
  /** The name of the client; `default` for the one that is injected as `ChatClient`. */
  readonly client: string;
  /** Ties the events of one turn together; of one that was suspended and goes on, the same as before. */
  readonly turnId: string;
}

/** A turn begins: the tool loop is about to ask the model. */
export interface TurnStartEvent {
  readonly type: 'turn-start';
}

/** A turn has ended. */
export interface TurnEndEvent {
  readonly type: 'turn-end';
  /** `suspended`: it waits for approval. */
  readonly status: 'completed' | 'suspended' | 'failed';
  /** How many rounds of model calls there were, where it has not failed. */
  readonly rounds?: number;
  readonly finishReason?: string;
  readonly usage?: Usage;
  /** What was thrown, where it has failed. */
  readonly error?: unknown;
  /** How long it took, in milliseconds. */
  readonly duration: number;
}

/** Something that has happened in a turn of some client of the application. */
export type AiEvent = AiEventOrigin & (TurnStartEvent | TurnEvent | TurnEndEvent);

/** What an event of a type is. */
export type AiEventOf<Type extends AiEvent['type']> = Extract<AiEvent, { readonly type: Type }>;

import type { TurnSeeker } from '../advisor/approvals/turn-lookup.js';
import type { ContinuedTurn } from '../model/request-scope.js';
import { type RequestServices, serviceKey } from '../model/request-services.js';
import type { QueuedRequest } from './queued-request.js';

/** When and how a queued turn runs. */
export interface EnqueueOptions {
  /** How long the turn waits at least, in milliseconds. Default: 0. */
  readonly delay?: number;
  /** Turns with a lower number run first, from 1. Turns without a priority come before all. */
  readonly priority?: number;
  /**
   * Identifies the job. If a turn with this id was queued before, no new one is, and you get the id
   * of that turn.
   */
  readonly jobId?: string;
}

/** A turn to queue. */
export interface TurnToQueue {
  readonly client: string;
  readonly requester: string | undefined;
  readonly request: QueuedRequest;
}

/** A stored turn that a worker continues. */
export interface TurnToContinue {
  readonly id: string;
  /** The subject that started it. Undefined if unknown. */
  readonly requester?: string;
  readonly conversationId?: string;
  /** Only for a turn that has not begun: its request, and the number of its entries. */
  readonly queued?: { readonly request: Readonly<Record<string, unknown>>; readonly entries: number };
}

/** A worker that continues a turn. */
export type TurnWorkerFacts = Pick<ContinuedTurn, 'queue' | 'isRetried' | 'startWait'>;

/** Stores turns, and hands them to workers. */
export interface StoredTurns {
  /** @returns the id of the turn */
  enqueue(turn: TurnToQueue, options: EnqueueOptions): Promise<string>;

  /**
   * Stores decisions about a suspended turn, and queues it.
   *
   * @returns the id of the turn
   * @throws ToolApprovalException if the decisions do not fit, or the caller may not decide
   */
  approve(seeker: TurnSeeker, options: EnqueueOptions): Promise<string>;
}

export const STORED_TURNS = serviceKey<StoredTurns>('StoredTurns');

/** @throws Error if the application cannot queue turns */
export function storedTurnsOf(services: RequestServices | undefined): StoredTurns {
  const storedTurns = services?.get(STORED_TURNS);
  if (storedTurns) return storedTurns;
  throw new Error(
    'enqueue() needs a TurnJournal and a TurnQueue. Give the stores() of PostgresAiModule and BullAiModule to AiModule, or ' +
      'your own beside AiTurnsModule.providers() of @nestor-ai/turns.',
  );
}

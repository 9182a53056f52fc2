import type { ContinuedTurn } from '../model/request-scope.js';

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

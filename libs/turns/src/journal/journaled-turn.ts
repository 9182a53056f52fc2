import { ChatMemory, type SuspendedTurn, type TurnData, type TurnEntry, type TurnStatus } from '@nestor-ai/core';
import { BLANK_TURN, TurnState } from '@nestor-ai/core/internal';

/** The data of a turn to find it by. */
export interface TurnFacts {
  readonly status: TurnStatus;
  /** The subject that asked, from `TurnPrincipal`. Undefined if unknown. */
  readonly requester?: string;
  /** The client of `AiModule` that runs the turn. */
  readonly client?: string;
  readonly conversationId?: string;
  /** The ids of the calls that wait, or may have run. */
  readonly pendingCallIds: readonly string[];
}

/** A turn that a journal has. */
export interface JournaledTurn extends TurnFacts {
  readonly id: string;
  readonly entries: readonly TurnEntry[];
  /** ISO 8601, by the clock of the store. */
  readonly updatedAt: string;
  /** How long the turn has not changed, in milliseconds, by the clock of the store. */
  readonly unchangedFor: number;
  /**
   * The process that works on the turn, and how much longer it may, in milliseconds. Undefined if
   * there is none, or its time has passed. A turn that has not begun, and has one, is not due yet.
   */
  readonly claim?: { readonly owner: string; readonly remaining: number };
  /**
   * The owner whose time has passed although it has not given the turn up: its process has died, or
   * has lost its connection, unless the turn has not begun. Undefined if there is none. A journal that never returns it works, but
   * a turn that ends each process that runs it is tried for ever.
   */
  readonly lapsedOwner?: string;
}

/** A turn in a list. */
export type TurnSummary = Omit<JournaledTurn, 'entries'>;

/** A turn of a journal, or what a list has of it. */
export type KnownTurn = TurnSummary & Partial<Pick<JournaledTurn, 'entries'>>;

/**
 * Whether a turn waits for its first worker, or has failed before its first round. Queued turns may
 * also wait for a worker of a long tool.
 */
export function hasNotBegun({ status, entries }: Pick<JournaledTurn, 'status' | 'entries'>): boolean {
  const isWaiting = status === 'queued' || status === 'failed';
  return isWaiting && entries.every(({ kind }) => kind === 'queued' || kind === 'failed');
}

/** What a stored turn is found by, with another status. */
export function factsWith(turn: TurnFacts, status: TurnStatus): TurnFacts {
  const { requester, client, conversationId, pendingCallIds } = turn;
  return {
    status,
    ...(requester !== undefined && { requester }),
    ...(client !== undefined && { client }),
    ...(conversationId !== undefined && { conversationId }),
    pendingCallIds,
  };
}

/** What a turn does again each time that it is tried, and so does not count as progress. */
const NO_PROGRESS: readonly TurnEntry['kind'][] = ['failed', 'begun', 'claimed', 'call-began', 'call-withdrawn'];

/** How often a turn has failed since it last got any further. */
export function failuresOf({ entries }: Pick<JournaledTurn, 'entries'>): number {
  const last = entries.findLastIndex(({ kind }) => !NO_PROGRESS.includes(kind));
  return entries.slice(last + 1).filter(({ kind }) => kind === 'failed').length;
}

/** The state that all entries of a turn lead to. */
export function stateOf({ id, requester, client, conversationId, updatedAt, entries = [] }: KnownTurn): TurnState {
  const state = new TurnState({
    ...BLANK_TURN,
    id,
    revision: 0,
    suspendedAt: updatedAt,
    ...(requester !== undefined && { requester }),
    ...(client !== undefined && { client }),
    ...(conversationId !== undefined && { context: { [ChatMemory.CONVERSATION_ID]: conversationId } }),
  });
  for (const entry of entries) state.apply(entry);
  return state;
}

/** The turn as another request can continue it. Undefined if it has ended, or waits for a worker. */
export function toSuspendedTurn(turn: JournaledTurn): SuspendedTurn | undefined {
  return turn.status === 'ended' || hasNotBegun(turn) ? undefined : recordOf(turn);
}

/** A turn of any status, as an `ApprovalPolicy` sees it: one of a list has neither messages nor calls. */
export function recordOf(turn: KnownTurn): SuspendedTurn {
  const { claim, entries = [] } = turn;
  const { record, unknownEntry } = stateOf(turn);
  return {
    ...record,
    status: turn.status,
    ...(unknownEntry !== undefined && { unknownEntry }),
    revision: entries.length,
    // The clocks of the store and of this process may differ.
    ...(claim && { claim: { owner: claim.owner, until: new Date(Date.now() + claim.remaining).toISOString() } }),
  };
}

/** What a turn is found by. */
export function factsOf({ requester, client, context, pending }: TurnData, status: TurnStatus): TurnFacts {
  const conversationId = context[ChatMemory.CONVERSATION_ID];
  return {
    status,
    ...(requester !== undefined && { requester }),
    ...(client !== undefined && { client }),
    ...(typeof conversationId === 'string' && { conversationId }),
    pendingCallIds: status === 'ended' ? [] : pending.map(({ id }) => id),
  };
}

import type { Awaitable } from '../model/awaitable.js';
import type { TurnEntry } from './turn-entry.js';

/**
 * The state of a turn in a journal. `queued`: it waits for a worker. `running`: a process works on
 * it, or did until it died. `suspended`: calls wait for a decision or a result. `failed`: its
 * request failed, and another one can continue it. `ended`: it is over.
 */
export type TurnStatus = 'queued' | 'running' | 'suspended' | 'failed' | 'ended';

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

/** Entries to add to a turn. */
export interface TurnAppend {
  readonly turnId: string;
  readonly entries: readonly TurnEntry[];
  /** The number of entries that the turn has before. 0 creates the turn. */
  readonly after: number;
  /** The writer. It claims the turn, or keeps its claim. */
  readonly owner: string;
  /**
   * How long the writer holds the turn from now, in milliseconds. Undefined: it gives the turn
   * up.
   */
  readonly lease?: number | undefined;
  /** The data of the turn after the entries. A turn that stays `queued` keeps its place: its time of change. */
  readonly facts: TurnFacts;
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

/**
 * Whether a turn waits for its first worker, or has failed before its first round. Queued turns may
 * also wait for a worker of a long tool.
 */
export function hasNotBegun({ status, entries }: JournaledTurn): boolean {
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
const NO_PROGRESS: readonly TurnEntry['kind'][] = ['failed', 'begun', 'call-began', 'call-withdrawn'];

/** How often a turn has failed since it last got any further. */
export function failuresOf({ entries }: Pick<JournaledTurn, 'entries'>): number {
  const last = entries.findLastIndex(({ kind }) => !NO_PROGRESS.includes(kind));
  return entries.slice(last + 1).filter(({ kind }) => kind === 'failed').length;
}

/** A turn in a list. */
export type TurnSummary = Omit<JournaledTurn, 'entries'>;

/** Which turns to list. Conditions that are left out are not checked. */
export interface TurnQuery {
  readonly id?: string;
  readonly status?: readonly TurnStatus[];
  /** Only turns that no process works on. */
  readonly isUnclaimed?: true;
  readonly requester?: string;
  readonly client?: string;
  readonly conversationId?: string;
  /** Only turns with a pending call of this id. */
  readonly pendingCallId?: string;
  /** Only turns that have not changed for this long, in milliseconds. */
  readonly unchangedFor?: number;
  /**
   * Only turns that changed before this time, in ISO 8601 by the clock of the store: the `updatedAt`
   * of the last turn of a list leads to those that follow.
   */
  readonly changedBefore?: string;
  /** Whether the turns that have not changed for the longest time come first. */
  readonly isOldestFirst?: true;
  /** The most turns to return. The ones that changed last come first. */
  readonly limit: number;
}

/**
 * Records what happens in turns, so that they survive a crash of the process. Provide one in
 * `AiModule`, such as `PostgresTurnJournal`, and each turn is recorded: what the model answered,
 * which calls started, and their results. Without one, only turns that wait for approval are
 * stored. It is also the injection token.
 *
 * A journal uses the clock of its store, so the clocks of processes may differ.
 */
export abstract class TurnJournal {
  /**
   * Adds entries to a turn. Must be atomic: all entries are stored, or none. It stores them only
   * if the turn has exactly `after` entries, and no other owner holds it.
   *
   * @returns whether the entries are stored
   */
  abstract append(append: TurnAppend): Awaitable<boolean>;

  /** The turn with its entries, oldest first. Undefined if it does not exist (any more). */
  abstract read(turnId: string): Awaitable<JournaledTurn | undefined>;

  /**
   * Claims a turn, or extends the claim of the same owner. Must be atomic: of several concurrent
   * owners only one gets it, and only if the turn has exactly `after` entries and has not ended.
   *
   * @param lease how long the owner holds the turn from now, in milliseconds
   * @returns whether the owner now holds the turn
   */
  abstract claim(turnId: string, after: number, owner: string, lease: number): Awaitable<boolean>;

  /** Lists turns without their entries. */
  abstract find(query: TurnQuery): Awaitable<readonly TurnSummary[]>;

  /**
   * Runs code in a transaction of the database that has the journal, once per key: the first
   * result is stored in the same transaction and returned again later. Optional; it makes
   * `ToolContext.transaction()` possible.
   *
   * @param work receives the connection with the transaction; its result must be JSON
   */
  transaction?<T>(turnId: string, key: string, work: (connection: unknown) => Promise<T>): Promise<T>;
}

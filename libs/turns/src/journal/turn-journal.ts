import {
  type SuspendedTurn,
  SuspendedTurnRepository,
  type TurnChange,
  type TurnData,
  type TurnEntry,
  type TurnStatus,
} from '@nestor-ai/core';
import { type Awaitable, OF_AI_MODULE } from '@nestor-ai/core/internal';
import { factsOf, type JournaledTurn, toSuspendedTurn, type TurnFacts, type TurnSummary } from './journaled-turn.js';

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

/** The most turns to read for one call id. Ids of some providers are not unique. */
const MAX_FOUND = 100;

/**
 * Records what happens in turns, so that they survive a crash of the process. Provide one as the
 * `SuspendedTurnRepository` of `AiModule`, such as `PostgresTurnJournal`, and each turn is recorded:
 * what the model answered, which calls started, and their results. Without one, only turns that
 * wait for approval are stored. It is also the token to inject it, with `AiTurnsModule.providers()`.
 *
 * A journal uses the clock of its store, so the clocks of processes may differ.
 */
export abstract class TurnJournal extends SuspendedTurnRepository {
  override readonly recordsAll = true;

  /** @internal */
  static readonly [OF_AI_MODULE] = 'store';

  /** The repository, if it is a journal. Two copies of this package do not have the same class. */
  static of(repository: SuspendedTurnRepository | undefined): TurnJournal | undefined {
    if (repository?.recordsAll !== true) return undefined;
    const methods = ['append', 'read', 'find'] as const;
    const journal = repository as TurnJournal;
    return methods.every((name) => typeof journal[name] === 'function') ? journal : undefined;
  }

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
  abstract override claim(turnId: string, after: number, owner: string, lease: number): Awaitable<boolean>;

  /** Lists turns without their entries. */
  abstract find(query: TurnQuery): Awaitable<readonly TurnSummary[]>;

  /** Appends the entries of the change. The revision of a turn is the number of its entries. */
  async save(
    turn: TurnData,
    { entries, owner, lease, status, revision: after }: TurnChange,
  ): Promise<number | undefined> {
    const { id: turnId } = turn;
    const facts = factsOf(turn, status);
    if (await this.append({ turnId, entries, after, owner, lease, facts })) return after + entries.length;
    // An append that reported a failure may have stored its entries.
    const current = await this.read(turnId);
    if (!current || (current.claim?.owner ?? current.lapsedOwner) !== owner) return undefined;
    const stored = current.entries.length;
    const added = current.entries.slice(after);
    // Another writer with the same claim has added others.
    if (added.length === 0 || !added.every(({ kind }, at) => kind === entries[at]?.kind)) return undefined;
    const left = entries.slice(stored - after);
    const isStored = await this.append({ turnId, entries: left, after: stored, owner, lease, facts });
    return isStored ? stored + left.length : undefined;
  }

  /** The turn as another request can continue it. Undefined if it has ended, or waits for a worker. */
  async findById(turnId: string): Promise<SuspendedTurn | undefined> {
    const turn = await this.read(turnId);
    return turn && toSuspendedTurn(turn);
  }

  async findByToolCallId(toolCallId: string): Promise<readonly SuspendedTurn[]> {
    const found = await this.find({ pendingCallId: toolCallId, limit: MAX_FOUND });
    const turns = await Promise.all(found.map(({ id }) => this.findById(id)));
    return turns.filter((turn) => turn !== undefined);
  }

  async findWaiting(query: { readonly requester?: string; readonly limit: number }): Promise<readonly TurnSummary[]> {
    const found = await this.find({ ...query, status: ['suspended', 'failed'] });
    return found.filter(({ pendingCallIds }) => pendingCallIds.length > 0);
  }
}

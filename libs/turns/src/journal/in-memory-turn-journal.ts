import type { TurnEntry } from '@nestor-ai/core';
import { boundedCache } from '@nestor-ai/core/internal';
import type { JournaledTurn, TurnFacts, TurnSummary } from './journaled-turn.js';
import { type TurnAppend, TurnJournal, type TurnQuery } from './turn-journal.js';

interface Kept {
  readonly facts: TurnFacts;
  /** Each entry as JSON, so that no caller shares it. */
  readonly entries: readonly string[];
  readonly changedAt: number;
  /** Tells turns apart that changed at the same time. */
  readonly change: number;
  readonly claim?: { readonly owner: string; readonly until: number };
}

/** The options of {@link InMemoryTurnJournal}. */
export interface InMemoryTurnJournalOptions {
  /**
   * The maximum number of turns. Above it, the least recently used one is deleted. Default: 10,000.
   */
  maxTurns?: number;
}

/** Records turns in memory, for tests and to try out what a journal does. */
export class InMemoryTurnJournal extends TurnJournal {
  readonly #turns: ReturnType<typeof boundedCache<Kept>>;
  #changes = 0;

  constructor({ maxTurns = 10_000 }: InMemoryTurnJournalOptions = {}) {
    super();
    this.#turns = boundedCache(maxTurns);
  }

  append({ turnId, entries, after, owner, lease, facts }: TurnAppend): boolean {
    const known = this.#turns.get(turnId);
    if ((known?.entries.length ?? 0) !== after || known?.facts.status === 'ended' || isHeld(known, owner)) return false;
    const now = Date.now();
    this.#turns.set(turnId, {
      facts: { ...facts, pendingCallIds: [...facts.pendingCallIds] },
      entries: [...(known?.entries ?? []), ...entries.map((entry) => JSON.stringify(entry))],
      ...(known && keepsPlace(known.facts, facts) ? placeOf(known) : { changedAt: now, change: ++this.#changes }),
      ...(lease !== undefined && { claim: { owner, until: now + lease } }),
    });
    return true;
  }

  read(turnId: string): JournaledTurn | undefined {
    const kept = this.#turns.get(turnId);
    if (!kept) return undefined;
    return { ...summaryOf(turnId, kept), entries: kept.entries.map((entry) => JSON.parse(entry) as TurnEntry) };
  }

  claim(turnId: string, after: number, owner: string, lease: number): boolean {
    const known = this.#turns.get(turnId);
    if (known?.entries.length !== after || known.facts.status === 'ended' || isHeld(known, owner)) return false;
    this.#turns.set(turnId, { ...known, claim: { owner, until: Date.now() + lease } });
    return true;
  }

  find({ id: wanted, isOldestFirst, ...query }: TurnQuery): readonly TurnSummary[] {
    const direction = isOldestFirst ? 1 : -1;
    return [...this.#turns.entries()]
      .filter(([id, kept]) => (wanted === undefined || id === wanted) && fits(kept, query))
      .sort(([, a], [, b]) => direction * (a.changedAt - b.changedAt || a.change - b.change))
      .slice(0, query.limit)
      .map(([id, kept]) => summaryOf(id, kept));
  }
}

/** A turn that goes on waiting for a worker keeps its place. */
function keepsPlace(before: TurnFacts, after: TurnFacts): boolean {
  return before.status === 'queued' && after.status === 'queued';
}

function placeOf({ changedAt, change }: Kept): Pick<Kept, 'changedAt' | 'change'> {
  return { changedAt, change };
}

function isHeld(known: Kept | undefined, owner?: string): boolean {
  return !!known?.claim && known.claim.owner !== owner && known.claim.until > Date.now();
}

function summaryOf(id: string, { facts, changedAt, claim }: Kept): TurnSummary {
  const now = Date.now();
  const remaining = claim ? claim.until - now : 0;
  return {
    ...facts,
    id,
    updatedAt: new Date(changedAt).toISOString(),
    unchangedFor: Math.max(0, now - changedAt),
    ...(claim && (remaining > 0 ? { claim: { owner: claim.owner, remaining } } : { lapsedOwner: claim.owner })),
  };
}

function fits(
  kept: Kept,
  { status, isUnclaimed, pendingCallId, unchangedFor, changedBefore, ...query }: TurnQuery,
): boolean {
  const { facts, changedAt } = kept;
  if (status && !status.includes(facts.status)) return false;
  if (isUnclaimed && isHeld(kept)) return false;
  if (pendingCallId !== undefined && !facts.pendingCallIds.includes(pendingCallId)) return false;
  if (unchangedFor !== undefined && Date.now() - changedAt < unchangedFor) return false;
  if (changedBefore !== undefined && changedAt >= Date.parse(changedBefore)) return false;
  return (['requester', 'client', 'conversationId'] as const).every(
    (key) => query[key] === undefined || query[key] === facts[key],
  );
}

import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../model/bounded-cache.js';
import { ChatMemory } from './chat-memory.js';
import {
  isClaimedByAnother,
  type SuspendedTurn,
  SuspendedTurnRepository,
  type TurnChange,
  type TurnData,
} from './suspended-turn.repository.js';

/** The options of {@link InMemorySuspendedTurnRepository}. */
export interface InMemorySuspendedTurnRepositoryOptions {
  /**
   * The maximum number of turns. Above it, the user with the most turns loses the oldest one. Turns
   * of unknown users count for their client and conversation. Default: 1000.
   */
  maxTurns?: number;
  /** How long a turn is kept, in milliseconds. Default: 86,400,000 (a day). */
  ttl?: number;
}

/** Keeps suspended turns in memory. */
export class InMemorySuspendedTurnRepository extends SuspendedTurnRepository {
  readonly #turns: LRUCache<string, SuspendedTurn>;
  #saves = 0;

  constructor({ maxTurns = 1000, ttl = 86_400_000 }: InMemorySuspendedTurnRepositoryOptions = {}) {
    super();
    this.#turns = boundedCache(maxTurns, { ttl });
  }

  save(turn: TurnData, { revision, status, owner, lease }: TurnChange): number | undefined {
    const stored = this.#turns.get(turn.id);
    if ((stored?.revision ?? 0) !== revision || (stored && isClaimedByAnother(stored, owner))) return undefined;
    if (status === 'ended') {
      this.#turns.delete(turn.id);
      return revision;
    }
    if (!stored && this.#turns.size >= this.#turns.maxSize) this.#makeRoomFor(turn);
    const saved = ++this.#saves;
    this.#turns.set(turn.id, {
      ...turn,
      revision: saved,
      ...(lease !== undefined && { claim: claimOf(owner, lease) }),
    });
    return saved;
  }

  findById(turnId: string): SuspendedTurn | undefined {
    // Not get(): a turn that is read does not become newer.
    return this.#turns.peek(turnId);
  }

  findByToolCallId(toolCallId: string): readonly SuspendedTurn[] {
    return [...this.#turns.values()].filter(({ pending }) => pending.some(({ id }) => id === toolCallId));
  }

  findWaiting({ requester, limit }: { readonly requester?: string; readonly limit: number }): readonly SuspendedTurn[] {
    const isWanted = (turn: SuspendedTurn): boolean =>
      turn.pending.some(({ deferred }) => !deferred) && (requester === undefined || turn.requester === requester);
    const found = [...this.#turns.values()].filter(isWanted);
    return found.sort((a, b) => b.revision - a.revision).slice(0, limit);
  }

  claim(turnId: string, revision: number, owner: string, lease: number): boolean {
    const turn = this.#turns.get(turnId);
    if (turn?.revision !== revision || isClaimedByAnother(turn, owner)) return false;
    this.#turns.set(turnId, { ...turn, claim: claimOf(owner, lease) });
    return true;
  }

  /** Prevents that one user, conversation or client displaces the turns of all others. */
  #makeRoomFor(added: TurnData): void {
    this.#turns.purgeStale();
    if (this.#turns.size < this.#turns.maxSize) return;
    const byOwner = new Map<string, SuspendedTurn[]>([[ownerOf(added), []]]);
    // The most recently saved turns come first.
    for (const turn of this.#turns.values()) {
      const owner = ownerOf(turn);
      const turns = byOwner.get(owner);
      if (turns) turns.push(turn);
      else byOwner.set(owner, [turn]);
    }
    let most: SuspendedTurn[] = [];
    for (const turns of byOwner.values()) if (turns.length > most.length) most = turns;
    // Prefer to delete a turn that waits over one that is being resumed.
    const oldest = most.findLast((turn) => !isClaimedByAnother(turn)) ?? most.at(-1)!;
    this.#turns.delete(oldest.id);
  }
}

function claimOf(owner: string, lease: number): NonNullable<SuspendedTurn['claim']> {
  return { owner, until: new Date(Date.now() + lease).toISOString() };
}

/** The user whose turn it is, or if unknown, where it comes from. */
function ownerOf({ requester, client, context }: TurnData): string {
  return JSON.stringify(requester === undefined ? [client, context[ChatMemory.CONVERSATION_ID]] : [requester]);
}

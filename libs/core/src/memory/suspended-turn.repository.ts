import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../model/awaitable.js';
import type { ToolCall } from '../model/messages.js';
import type { Usage } from '../model/usage.js';
import type { MessageJson } from './message-json.js';

/**
 * A turn that waits for humans to approve tool calls. Plain JSON: it can be stored anywhere, and goes on in another process.
 * What belongs to the request that resumes it, such as tools and tool context, is not part of it.
 */
export interface SuspendedTurn {
  /** Named in the response that asks for approval, as `turnId`. */
  readonly id: string;
  /** Another one each time that the turn is saved: what was decided of one must not be taken for a decision of another. */
  readonly revision: string;
  /** ISO 8601. */
  readonly suspendedAt: string;
  /** The conversation up to the message that asks for tools, and the responses of the calls that have run. */
  readonly messages: readonly MessageJson[];
  /** The message that asks for tools: text, and facts of the model's answer. */
  readonly response: { readonly metadata: Readonly<Record<string, unknown>>; readonly finishReason?: string };
  /** The calls that wait. */
  readonly pending: readonly ToolCall[];
  /** The options of the request, as far as they are JSON. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The advisor context of the request, as far as it is JSON. */
  readonly context: Readonly<Record<string, unknown>>;
  /** How many rounds there were. */
  readonly round: number;
  readonly usageByRound: readonly Usage[];
  /** How often each tool was called. */
  readonly toolCallCounts: Readonly<Record<string, number>>;
}

/** Keeps turns that wait for approval. Extend it for a database; it is also the injection token. */
export abstract class SuspendedTurnRepository {
  /** Keeps a turn. */
  abstract save(turn: SuspendedTurn): Awaitable<void>;

  /** The turn of an id; undefined when there is none, or not any more. */
  abstract findById(turnId: string): Awaitable<SuspendedTurn | undefined>;

  /** The turns in which a call of this id waits; more than one where a provider does not give unique ids. */
  abstract findByToolCallId(toolCallId: string): Awaitable<readonly SuspendedTurn[]>;

  /**
   * Removes a turn, because it goes on now. Of several who try at the same time, only one may be told true, and none whose revision is
   * not the saved one: a tool must not run twice.
   *
   * @returns whether it was there
   */
  abstract remove(turnId: string, revision: string): Awaitable<boolean>;
}

/** The options of {@link InMemorySuspendedTurnRepository}. */
export interface InMemorySuspendedTurnRepositoryOptions {
  /** How many turns are kept; the one that waits longest goes first. Default: 1000. */
  maxTurns?: number;
  /** How long a turn is kept, in milliseconds. Default: a day. */
  ttl?: number;
}

/** Keeps suspended turns as long as the process runs. */
export class InMemorySuspendedTurnRepository extends SuspendedTurnRepository {
  readonly #turns: LRUCache<string, SuspendedTurn>;

  constructor({ maxTurns = 1000, ttl = 86_400_000 }: InMemorySuspendedTurnRepositoryOptions = {}) {
    super();
    this.#turns = new LRUCache({ max: maxTurns, ttl });
  }

  save(turn: SuspendedTurn): void {
    this.#turns.set(turn.id, turn);
  }

  findById(turnId: string): SuspendedTurn | undefined {
    return this.#turns.get(turnId);
  }

  findByToolCallId(toolCallId: string): readonly SuspendedTurn[] {
    return [...this.#turns.values()].filter(({ pending }) => pending.some(({ id }) => id === toolCallId));
  }

  remove(turnId: string, revision: string): boolean {
    return this.#turns.get(turnId)?.revision === revision && this.#turns.delete(turnId);
  }
}

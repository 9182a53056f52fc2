import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  type ChatClientRequestSpec,
  ChatClients,
  DEFAULT_CHAT_CLIENT,
  errorTypeOf,
  type TurnStatus,
  type TurnToContinue,
} from '@nestor-ai/core';
import { OF_AI_MODULE, type TurnWorkerFacts } from '@nestor-ai/core/internal';
import { factsWith, failuresOf, hasNotBegun, type JournaledTurn, stateOf } from '../journal/journaled-turn.js';
import { TurnJournal } from '../journal/turn-journal.js';

/**
 * What a worker does with a turn. `run`: send the request. `later`: ask again after a delay in
 * milliseconds, since the turn is not due, another process holds it, or another turn of its
 * conversation runs. `nothing`: the turn has ended, has failed, waits for a decision, or is deleted;
 * or an older turn of its conversation goes first. With a `conversationId`, the next turn of this
 * conversation may begin: queue {@link TurnRunner.nextIn}. `elsewhere`: add it to the queue of a long tool.
 * `unknown-client`: the application does not have the client of the turn as a singleton.
 */
export type PreparedTurn =
  | {
      readonly next: 'run';
      readonly request: ChatClientRequestSpec;
      readonly turn: JournaledTurn;
      /** How often the turn has failed since it last got any further. */
      readonly failures: number;
    }
  | { readonly next: 'later'; readonly delay: number }
  | { readonly next: 'elsewhere'; readonly queue: string }
  | { readonly next: 'unknown-client'; readonly client: string }
  | { readonly next: 'nothing'; readonly conversationId?: string };

/** The states in which a worker goes on. */
const UNFINISHED: readonly TurnStatus[] = ['queued', 'running'];

/** How soon to ask again for a turn whose conversation is busy, in milliseconds. The end of a queued turn does not wait for it. */
const PAUSE = 2000;

/** The most turns to look at for the next one. Others may wait for long tools. */
const MAX_LOOKED_AT = 100;

const NOTHING: PreparedTurn = Object.freeze({ next: 'nothing' });

/** Continues turns of the `TurnJournal`, for workers. Inject it to write a worker of your own. */
@Injectable()
export class TurnRunner {
  /** @internal */
  static readonly [OF_AI_MODULE] = 'service';

  constructor(
    private readonly clients: ChatClients,
    @Optional() @Inject(TurnJournal) private readonly journal: TurnJournal | undefined,
  ) {}

  /**
   * Prepares the request that begins a queued turn, or continues an interrupted one, with the
   * client that the turn belongs to. Call `.call()` or `.stream()` of it.
   *
   * @param worker the worker that asks. Default: one of the queue of turns
   * @throws Error if the application has no journal
   */
  async prepare(turnId: string, worker: TurnWorkerFacts = {}): Promise<PreparedTurn> {
    if (!this.journal)
      throw new Error('TurnRunner needs a TurnJournal. Provide one as the SuspendedTurnRepository of AiModule.');
    const turn = await this.journal.read(turnId);
    if (!turn) return NOTHING;
    const { conversationId } = turn;
    if (!UNFINISHED.includes(turn.status))
      return { next: 'nothing', ...(conversationId !== undefined && { conversationId }) };
    if (turn.claim) return { next: 'later', delay: turn.claim.remaining };
    const isNew = hasNotBegun(turn);
    const state = isNew ? undefined : stateOf(turn);
    const waitsFor = state?.queue;
    if (waitsFor !== undefined && waitsFor !== worker.queue) return { next: 'elsewhere', queue: waitsFor };
    const { client: name = DEFAULT_CHAT_CLIENT } = turn;
    const client = this.clients.get(name);
    if (!client) return { next: 'unknown-client', client: name };
    if (isNew && conversationId !== undefined) {
      const [next, isBusy] = await Promise.all([this.nextIn(conversationId), this.#isBusy(conversationId)]);
      if (next !== undefined && next !== turnId) return NOTHING;
      if (isBusy) return { next: 'later', delay: PAUSE };
    }
    return {
      next: 'run',
      request: client.prompt().continueTurn(toContinue(turn), worker),
      turn,
      failures: failuresOf(turn),
    };
  }

  /**
   * The turn of a conversation that begins next: the oldest one that is due and has not begun. Queue
   * it when a turn of the conversation has ended, has failed, or waits.
   *
   * @returns its id; undefined if there is none
   */
  async nextIn(conversationId: string): Promise<string | undefined> {
    const query = { conversationId, status: ['queued'], isUnclaimed: true, isOldestFirst: true } as const;
    const queued = (await this.journal?.find({ ...query, limit: MAX_LOOKED_AT })) ?? [];
    return queued.find(({ pendingCallIds }) => pendingCallIds.length === 0)?.id;
  }

  /** A turn that has begun also keeps its conversation while it waits for its next try. */
  async #isBusy(conversationId: string): Promise<boolean> {
    const running = await this.journal!.find({ conversationId, status: ['running'], limit: 1 });
    return running.length > 0;
  }

  /**
   * Records that a turn has failed, unless it has recorded that itself. It cannot if it fails before
   * the tool loop, such as in an advisor around it. Does nothing if a process holds the turn, or it
   * waits for a human.
   *
   * @param error why it has failed
   * @param isRetried whether the worker tries it again. Default: false, another request has to continue it
   */
  async recordFailure(turnId: string, error: unknown, isRetried = false): Promise<void> {
    const { journal } = this;
    const turn = await journal?.read(turnId);
    if (!journal || !turn) return;
    const { entries, claim, status } = turn;
    if (claim || !UNFINISHED.includes(status)) return;
    await journal.append({
      turnId,
      entries: [{ kind: 'failed', errorType: errorTypeOf(error) }],
      after: entries.length,
      owner: crypto.randomUUID(),
      facts: factsWith(turn, isRetried ? status : 'failed'),
    });
  }
}

function toContinue({ id, requester, conversationId, ...turn }: JournaledTurn): TurnToContinue {
  const { entries } = turn;
  const queued = hasNotBegun(turn) ? entries.findLast((entry) => entry.kind === 'queued') : undefined;
  return {
    id,
    ...(requester !== undefined && { requester }),
    ...(conversationId !== undefined && { conversationId }),
    ...(queued && { queued: { request: queued.request, entries: entries.length } }),
  };
}

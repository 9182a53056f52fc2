import { setTimeout as sleep } from 'node:timers/promises';
import { HttpException, HttpStatus, Inject, Injectable, Optional } from '@nestjs/common';
import type { ToolResponse } from '@nestor-ai/core';
import { OF_AI_MODULE, type DeliveredResult, toJsonText, type TurnState, whyUnknown } from '@nestor-ai/core/internal';
import { factsOf, type JournaledTurn, stateOf } from './journal/journaled-turn.js';
import { TurnJournal } from './journal/turn-journal.js';
import { TurnQueue } from './queue/turn-queue.js';

/** How long a result waits for a turn that another process works on, in milliseconds. */
const PATIENCE = 10_000;
const POLL = 100;

/**
 * Delivers the results of calls whose tools have called `ToolContext.defer()`, from any process.
 * A worker then continues the turn; without a `TurnQueue`, the application does, with
 * `chatClient.prompt().toolApprovals([], { turnId })`.
 *
 * The model reads a delivered result as the answer of the tool, so check that a webhook comes from
 * your service.
 */
@Injectable()
export class DeferredResults {
  /** @internal */
  static readonly [OF_AI_MODULE] = 'service';

  constructor(
    @Optional() @Inject(TurnJournal) private readonly journal?: TurnJournal,
    @Optional() @Inject(TurnQueue) private readonly queue?: TurnQueue,
  ) {}

  /**
   * Delivers the result of a call. It is converted like a result that the tool returns.
   *
   * @param key the `idempotencyKey` of the call
   * @param result JSON
   * @returns whether it is stored. False if the call had its result before: services may deliver
   *   more than once
   * @throws DeferredResultException if no such call waits, or its turn is busy
   */
  async deliver(key: string, result: unknown): Promise<boolean> {
    return this.#store(key, { result: JSON.parse(toJsonText(result ?? null)) as unknown });
  }

  /**
   * Tells the model that a call has failed.
   *
   * @param key the `idempotencyKey` of the call
   * @param reason the text that the model reads, as for an error that the tool throws
   * @returns whether it is stored. False if the call had its result before
   * @throws DeferredResultException if no such call waits, or its turn is busy; TypeError without a reason
   */
  async fail(key: string, reason: string): Promise<boolean> {
    if (typeof reason !== 'string' || reason.trim() === '') throw new TypeError('fail() needs the reason as a text.');
    return this.#store(key, { error: reason });
  }

  async #store(key: string, delivered: DeliveredResult): Promise<boolean> {
    const { journal } = this;
    if (!journal)
      throw new Error('DeferredResults needs a TurnJournal. Provide one as the SuspendedTurnRepository of AiModule.');
    const [, turnId, callId] = /^([^:]+):(.+)$/s.exec(key) ?? [];
    if (turnId === undefined || callId === undefined) throw missing(key);
    const end = performance.now() + PATIENCE;
    for (;;) {
      const turn = await journal.read(turnId);
      if (!turn) throw missing(key);
      const step = await this.#tryStore(journal, turn, callId, delivered);
      if (step === 'missing') throw missing(key);
      if (step !== 'busy') return step === 'stored';
      // The calls beside this one still run, or another result is stored.
      if (performance.now() >= end) throw busy(key);
      await sleep(POLL);
    }
  }

  async #tryStore(
    journal: TurnJournal,
    turn: JournaledTurn,
    callId: string,
    delivered: DeliveredResult,
  ): Promise<'stored' | 'known' | 'busy' | 'missing'> {
    const { id, status, entries, claim } = turn;
    const state = stateOf(turn);
    if (hasAnswer(state, callId)) return 'known';
    if (status === 'ended') return 'missing';
    if (state.unknownEntry !== undefined) throw new DeferredResultException(whyUnknown(id, state.unknownEntry), 'busy');
    const input = state.inputOf(callId);
    // The code of a long tool has the result.
    if (input?.queue !== undefined) return 'missing';
    if (!input?.deferred) return status === 'suspended' ? 'missing' : 'busy';
    if (input.delivered) return 'known';
    if (claim) return 'busy';
    const entry = { kind: 'delivered', callId, delivered } as const;
    state.apply(entry);
    const facts = factsOf(state.record, state.status);
    const change = { turnId: id, entries: [entry], after: entries.length, owner: crypto.randomUUID(), facts };
    if (!(await journal.append(change))) return 'busy';
    if (state.status !== 'suspended') await this.queue?.add(id, {});
    return 'stored';
  }
}

/** A result could not be delivered. Nest answers a webhook with 404, or with 503, so that the service tries again. */
export class DeferredResultException extends HttpException {
  override readonly name = 'DeferredResultException';

  /**
   * @param problem `missing`: no such call waits, and it never will. `busy`: another process works
   *   on the turn, or only one with a newer version of Nestor can; so try again later
   */
  constructor(
    message: string,
    readonly problem: 'missing' | 'busy',
  ) {
    super(message, problem === 'missing' ? HttpStatus.NOT_FOUND : HttpStatus.SERVICE_UNAVAILABLE);
  }
}

function hasAnswer({ messages }: TurnState, callId: string): boolean {
  return messages.some(
    ({ role, responses }) => role === 'tool' && (responses as readonly ToolResponse[]).some(({ id }) => id === callId),
  );
}

function missing(key: string): DeferredResultException {
  return new DeferredResultException(
    `No call '${key}' waits for its result. Pass the idempotencyKey of a call whose tool has called defer(). Its turn may ` +
      'have been deleted, or a human may have cancelled the call.',
    'missing',
  );
}

function busy(key: string): DeferredResultException {
  return new DeferredResultException(
    `The result of the call '${key}' was not stored, since another process works on its turn. Deliver it again later.`,
    'busy',
  );
}

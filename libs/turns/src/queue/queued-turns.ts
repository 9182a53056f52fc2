import { createHash } from 'node:crypto';
import { ChatMemory, type EnqueueOptions, type TurnEntry } from '@nestor-ai/core';
import {
  type ApprovalRules,
  findToDecide,
  goingOn,
  type StoredTurns,
  type TurnSeeker,
  type TurnToQueue,
} from '@nestor-ai/core/internal';
import { factsOf, factsWith, hasNotBegun, type TurnFacts } from '../journal/journaled-turn.js';
import type { TurnJournal } from '../journal/turn-journal.js';
import { checkEnqueueOptions, type TurnQueue } from './turn-queue.js';

/** How often a decision is added again to a turn that has changed meanwhile. */
const MOST_TRIES = 100;

/** Puts turns into the journal and the queue. */
export class QueuedTurns implements StoredTurns {
  constructor(
    private readonly journal: TurnJournal,
    private readonly queue: TurnQueue,
    private readonly rules: ApprovalRules,
  ) {}

  async enqueue({ client, requester, request }: TurnToQueue, options: EnqueueOptions): Promise<string> {
    checkEnqueueOptions(options);
    const { jobId } = options;
    const turnId = jobId === undefined ? crypto.randomUUID() : idOf(client, jobId);
    const conversationId = request.context[ChatMemory.CONVERSATION_ID];
    const facts: TurnFacts = {
      status: 'queued',
      client,
      ...(requester !== undefined && { requester }),
      ...(typeof conversationId === 'string' && { conversationId }),
      pendingCallIds: [],
    };
    const { delay } = options;
    const entry = { kind: 'queued' as const, request: { ...request } };
    // A turn that is not due yet has a lease until it is due, by the clock of the store.
    if (!(await this.#append(turnId, 0, entry, facts, delay || undefined))) await this.#queueFailed(turnId, entry);
    // If a turn with this id was queued before, its job may be lost: the queue knows.
    await this.queue.add(turnId, options);
    return turnId;
  }

  /** A turn that has failed is tried again if it is queued again. */
  async #queueFailed(turnId: string, entry: TurnEntry): Promise<void> {
    const turn = await this.journal.read(turnId);
    if (turn?.status !== 'failed') return;
    const facts = factsWith(turn, hasNotBegun(turn) ? 'queued' : 'running');
    await this.#append(turnId, turn.entries.length, entry, facts);
  }

  async approve(seeker: TurnSeeker, options: EnqueueOptions): Promise<string> {
    checkEnqueueOptions(options);
    const { approvals, caller } = seeker;
    const entry = {
      kind: 'approved' as const,
      decisions: approvals.map(({ token: _token, ...decision }) => decision),
      ...(caller !== undefined && { approver: caller }),
    };
    for (let tries = 1; ; tries++) {
      const turn = await findToDecide(this.journal, this.rules, seeker);
      const { id, revision, claim, decisions = [] } = turn;
      const known = decisions.flatMap((stored) => stored.decisions.map(({ toolCallId }) => toolCallId));
      if (approvals.some(({ toolCallId }) => known.includes(toolCallId))) throw goingOn(id);
      if (await this.#append(id, revision, entry, factsOf(turn, 'running'))) {
        await this.queue.add(id, options);
        return id;
      }
      if (claim || tries === MOST_TRIES) throw goingOn(id);
      // A result was delivered meanwhile, or another call was decided.
    }
  }

  async #append(turnId: string, after: number, entry: TurnEntry, facts: TurnFacts, lease?: number): Promise<boolean> {
    return this.journal.append({ turnId, entries: [entry], after, owner: crypto.randomUUID(), lease, facts });
  }
}

/** A turn id that is always the same for a job. */
function idOf(client: string, jobId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([client, jobId]))
    .digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

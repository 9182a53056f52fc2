import { createHash } from 'node:crypto';
import type { ApprovalRules } from '../advisor/approvals/approval-policy.js';
import { findTurn, type TurnSeeker } from '../advisor/approvals/turn-lookup.js';
import { checkDecisions, goingOn } from '../advisor/resumption-checks.js';
import { answeredInputs } from '../execution/pending-inputs.js';
import { ChatMemory } from '../memory/chat-memory.js';
import type { SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { TurnEntry } from '../memory/turn-entry.js';
import { factsOf, factsWith, hasNotBegun, type TurnFacts } from '../memory/journaled-turn.js';
import type { TurnJournal } from '../memory/turn-journal.js';
import { type RequestServices, serviceKey } from '../model/request-services.js';
import { checkEntriesAreKnown } from '../memory/unknown-entries.js';
import type { QueuedRequest } from './queued-request.js';
import type { EnqueueOptions, TurnQueue } from '../execution/turn-queue.js';

/** A turn to queue. */
export interface TurnToQueue {
  readonly client: string;
  readonly requester: string | undefined;
  readonly request: QueuedRequest;
}

/** Undefined without a journal and a queue. */
export const STORED_TURNS = serviceKey<StoredTurns>('StoredTurns');

/** Puts turns into the journal and the queue. */
export class StoredTurns {
  constructor(
    private readonly journal: TurnJournal,
    private readonly queue: TurnQueue,
    private readonly repository: SuspendedTurnRepository,
    private readonly rules: ApprovalRules,
  ) {}

  /** @returns the id of the turn */
  async enqueue({ client, requester, request }: TurnToQueue, options: EnqueueOptions): Promise<string> {
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

  /**
   * Stores decisions about a suspended turn, and queues it.
   *
   * @returns the id of the turn
   * @throws ToolApprovalException if the decisions do not fit, or the caller may not decide
   */
  async approve(seeker: TurnSeeker, options: EnqueueOptions): Promise<string> {
    const turn = await findTurn(this.repository, this.rules, seeker);
    checkEntriesAreKnown(turn);
    const { approvals, caller } = seeker;
    checkDecisions(turn, approvals);
    answeredInputs(turn.inputs, approvals);
    const { id, revision, decisions = [] } = turn;
    const known = decisions.flatMap((stored) => stored.decisions.map(({ toolCallId }) => toolCallId));
    if (approvals.some(({ toolCallId }) => known.includes(toolCallId))) throw goingOn(id);
    const entry = {
      kind: 'approved' as const,
      decisions: approvals.map(({ token: _token, ...decision }) => decision),
      ...(caller !== undefined && { approver: caller }),
    };
    if (!(await this.#append(id, revision, entry, factsOf(turn, 'running')))) throw goingOn(id);
    await this.queue.add(id, options);
    return id;
  }

  async #append(turnId: string, after: number, entry: TurnEntry, facts: TurnFacts, lease?: number): Promise<boolean> {
    return this.journal.append({ turnId, entries: [entry], after, owner: crypto.randomUUID(), lease, facts });
  }
}

/** @throws Error if the application cannot queue turns */
export function storedTurnsOf(services: RequestServices | undefined): StoredTurns {
  const storedTurns = services?.get(STORED_TURNS);
  if (storedTurns) return storedTurns;
  throw new Error(
    'enqueue() needs a TurnJournal and a TurnQueue. Import PostgresAiModule and BullAiModule, or provide your own in AiModule.',
  );
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

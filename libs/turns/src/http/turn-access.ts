import { Inject, Injectable, NotFoundException, Optional } from '@nestjs/common';
import { AiBootstrapException, allowsAccess, ApprovalPolicy, TurnPrincipal } from '@nestor-ai/core';
import { recordOf, type TurnSummary } from '../journal/journaled-turn.js';
import { TurnJournal, type TurnQuery } from '../journal/turn-journal.js';

/** The most turns of a conversation to look at. One runs, and others wait for it. */
const MAX_TURNS = 20;

/** Finds the turns that a caller may read or stop. */
@Injectable()
export class TurnAccessGate {
  /**
   * @param journal `AiTurnsModule` checks that there is one
   * @throws AiBootstrapException if the application does not import `AiModule`
   */
  constructor(
    @Optional() @Inject(TurnJournal) private readonly journal: TurnJournal,
    @Optional() @Inject(ApprovalPolicy) private readonly policy: ApprovalPolicy,
    @Optional() @Inject(TurnPrincipal) private readonly principal: TurnPrincipal,
  ) {
    if (!policy || !principal)
      throw new AiBootstrapException(['AiTurnsModule needs AiModule. Import AiModule.forRoot() in your root module.']);
  }

  /** @throws NotFoundException if there is no such turn, or the caller may not access it */
  async check(turnId: string, action: 'read' | 'stop', request: unknown): Promise<void> {
    const [turn] = await this.journal.find({ id: turnId, limit: 1 });
    if (turn?.id !== turnId || !(await this.#isAllowed(turn, action, request)))
      throw new NotFoundException('There is no such turn, or you may not access it.');
  }

  /** The id of the turn of a conversation that runs, or is about to. Undefined if the caller may see none. */
  async runningTurnOf(conversationId: string, request: unknown): Promise<string | undefined> {
    const requester = this.principal.subjectOf(request);
    // Others may have more turns in the conversation than are looked at.
    const own = requester === undefined ? undefined : await this.#find({ conversationId, requester }, request);
    return own ?? this.#find({ conversationId }, request);
  }

  async #find(query: Partial<TurnQuery>, request: unknown): Promise<string | undefined> {
    const found = await this.journal.find({ ...query, status: ['queued', 'running'], limit: MAX_TURNS });
    // The one that runs comes before those that wait for it.
    const ordered = [...found].sort((a, b) => Number(b.status === 'running') - Number(a.status === 'running'));
    for (const turn of ordered) if (await this.#isAllowed(turn, 'read', request)) return turn.id;
    return undefined;
  }

  /** Ids of conversations and of jobs can be guessed, so the turn of an unknown user is closed to all. */
  async #isAllowed(turn: TurnSummary, action: 'read' | 'stop', request: unknown): Promise<boolean> {
    if (turn.requester === undefined) return false;
    const caller = this.principal.subjectOf(request);
    return allowsAccess(this.policy, { action, turn: recordOf(turn), caller, request });
  }
}

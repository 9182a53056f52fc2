import { Injectable, NotFoundException } from '@nestjs/common';
import type { SuspendedTurn, TurnAction } from '@nestor-ai/core';
import type { InspectedTurn } from '../recording/inspected-turn.js';
import { TurnRing } from '../recording/turn-ring.js';
import { TurnPolicy } from './turn-policy.js';

/** What a user of the page may see of a list. */
export interface Seen<View> {
  readonly found: readonly View[];
  /** How many the `ApprovalPolicy` hides from the user. */
  readonly hidden: number;
  /** How many more there are, at least. */
  readonly more: number;
  /** Why there are none: the type of an error. */
  readonly failure?: string;
}

/** Finds the turns in memory that a user of the page may see. */
@Injectable()
export class InspectedTurns {
  constructor(
    private readonly ring: TurnRing,
    private readonly policy: TurnPolicy,
  ) {}

  /**
   * The newest turns that may be seen, and how many may not: also of those that are left out, so that
   * the number does not tell what is in them.
   *
   * @param view what to return of a turn; undefined leaves it out
   */
  async list<View>(
    request: unknown,
    limit: number,
    view: (turn: InspectedTurn) => View | undefined,
    turns: readonly InspectedTurn[] = this.ring.list(),
  ): Promise<Seen<View>> {
    const found: View[] = [];
    let hidden = 0;
    let more = 0;
    for (const turn of turns) {
      const viewed = (await this.#isAllowed(turn, 'read', request)) ? view(turn) : void hidden++;
      if (viewed === undefined) continue;
      if (found.length < limit) found.push(viewed);
      else more++;
    }
    return { found, hidden, more };
  }

  /** Whether the turn is in memory. Does not ask the policy. */
  has(id: string): boolean {
    return this.ring.get(id) !== undefined;
  }

  /** @throws NotFoundException if there is no such turn, or the user may not do this with it */
  async get(id: string, action: TurnAction, request: unknown): Promise<InspectedTurn> {
    const turn = this.ring.get(id);
    if (turn && (await this.#isAllowed(turn, action, request))) return turn;
    throw new NotFoundException('There is no such turn any more, or the ApprovalPolicy does not allow this.');
  }

  /** Whether a user is the one that asked, as far as the application knows its users. */
  isOwn(turn: InspectedTurn, request: unknown): boolean {
    return turn.requester === this.policy.subjectOf(request);
  }

  #isAllowed(turn: InspectedTurn, action: TurnAction, request: unknown): Promise<boolean> {
    return this.policy.allows(action, asAccessed(turn), request);
  }
}

/** The turn as the policy sees it, without its messages. */
export function asAccessed({
  id,
  requester,
  client,
  begunAt,
  pending,
}: Pick<InspectedTurn, 'id' | 'requester' | 'client' | 'begunAt' | 'pending'>): SuspendedTurn {
  return {
    id,
    revision: 0,
    ...(requester !== undefined && { requester }),
    client,
    suspendedAt: new Date(begunAt).toISOString(),
    messages: [],
    response: { metadata: {} },
    pending,
    options: {},
    context: {},
    round: 0,
    usageByRound: [],
    toolCallCounts: {},
  };
}

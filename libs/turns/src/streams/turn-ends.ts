import { type ApprovalTokens, type ContentRedactor } from '@nestor-ai/core';
import { hiddenQuestion } from '@nestor-ai/core/internal';
import { recordOf } from '../journal/journaled-turn.js';
import type { TurnJournal } from '../journal/turn-journal.js';
import type { RecordedEvent } from './recorded-event.js';

/** How a turn has ended, or that it waits. */
export interface TurnEnd {
  /** How long ago, in milliseconds. */
  readonly age: number;
  /** The fence of who writes about it. */
  readonly fence?: number;
  /** Returns the last event of its log. Undefined if the turn may still go on. */
  readonly toEvent?: () => RecordedEvent;
}

/** What an application gives to those who may decide about a call. */
export interface ApprovalView {
  readonly tokens: ApprovalTokens | undefined;
  readonly redactor: ContentRedactor | undefined;
}

/** Finds in the journal how turns have ended. */
export class TurnEnds {
  constructor(
    private readonly journal: TurnJournal,
    private readonly view: ApprovalView,
  ) {}

  /** Undefined: a process runs the turn or is about to. */
  async find(turnId: string): Promise<TurnEnd | undefined> {
    const turn = await this.journal.read(turnId);
    if (!turn) return { age: Infinity };
    const { status, unchangedFor: age } = turn;
    const fence = turn.entries.length;
    switch (status) {
      case 'ended':
        return { age, fence, toEvent: () => ({ type: 'finish' }) };
      case 'suspended':
        return { age, fence, toEvent: () => hiddenQuestion(turn.id, recordOf(turn).pending, this.view.redactor) };
      case 'failed':
        return { age };
      default:
        return undefined;
    }
  }

  /** Adds a token for each call that an event asks about and that still waits. */
  async signed(turnId: string, event: RecordedEvent): Promise<RecordedEvent> {
    const { tokens } = this.view;
    if (!tokens || event.type !== 'finish' || !event.pendingApprovals) return event;
    const turn = await this.journal.read(turnId);
    if (!turn || turn.status === 'ended') return event;
    const asked = new Set(event.pendingApprovals.map(({ id }) => id));
    const waiting = recordOf(turn).pending.filter(({ id }) => asked.has(id));
    return { ...event, approvalTokens: tokens.signAll(turnId, waiting) };
  }
}

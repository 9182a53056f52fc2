import type { ApprovalTokens } from '../../advisor/approvals/approval-tokens.js';
import { type JournaledTurn, recordOf } from '../../memory/journaled-turn.js';
import type { TurnJournal } from '../../memory/turn-journal.js';
import type { ContentRedactor } from '../../model/content-redactor.js';
import { FinishReason } from '../../model/finish-reason.js';
import { DEFAULT_UI_SETTINGS } from '../../model/ui-settings.js';
import { BROWSER_VIEW } from '../browser-view.js';
import { toPublic } from '../public-events.js';
import type { RecordedEvent } from './recorded-event.js';

/** How a turn has ended, or that it waits. */
export interface TurnEnd {
  /** How long ago, in milliseconds. */
  readonly age: number;
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
    switch (status) {
      case 'ended':
        return { age, toEvent: () => ({ type: 'finish' }) };
      case 'suspended':
        return { age, toEvent: () => this.#questionOf(turn) };
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

  /**
   * Asks for decisions about the calls of a turn. What a browser may see of their arguments is not
   * known here, so they are hidden. The events of the calls have what may be seen.
   */
  #questionOf(turn: JournaledTurn): RecordedEvent {
    const { redactor } = this.view;
    const { pending } = recordOf(turn);
    const event = {
      type: 'finish' as const,
      finishReason: FinishReason.TOOL_APPROVAL_REQUIRED,
      turnId: turn.id,
      pendingApprovals: pending,
      [BROWSER_VIEW]: { settings: DEFAULT_UI_SETTINGS, redactor },
    };
    return toPublic(event, { content: 'none' })!;
  }
}

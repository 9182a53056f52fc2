import { setTimeout as pause } from 'node:timers/promises';
import { ToolApprovalException } from '@nestor-ai/core';
import { checkEntriesAreKnown, endTurn } from '@nestor-ai/core/internal';
import type { TurnEventLog } from './turn-event-log.js';
import { hasNotBegun, type JournaledTurn, recordOf } from '../journal/journaled-turn.js';
import type { TurnJournal } from '../journal/turn-journal.js';
import { STOPPED } from './recorded-event.js';
import { TurnEventWriter } from './turn-event-writer.js';

/** How often to look whether an aborted request has given its turn up, in milliseconds. */
const INTERVAL = 50;

/** How long an aborted request may take, in milliseconds. */
const PATIENCE = 2000;

/** Ends turns that a user stops. */
export class TurnStops {
  constructor(
    private readonly log: TurnEventLog,
    private readonly journal: TurnJournal,
  ) {}

  /**
   * Stops a turn. If a process runs it, that process is asked to stop it.
   *
   * @throws ToolApprovalException if the turn waits for a decision about calls that may have run
   */
  async stop(turnId: string): Promise<void> {
    for (let isAsked = false; ;) {
      const turn = await this.journal.read(turnId);
      if (!turn || turn.status === 'ended') return;
      if (turn.claim && !hasNotBegun(turn)) {
        if (isAsked) return;
        await this.log.requestStop(turnId);
        // The process may have given the turn up before it could hear this.
        isAsked = true;
        continue;
      }
      checkDecided(turn);
      if (!(await endTurn(this.journal, recordOf(turn)))) continue;
      const writer = new TurnEventWriter(this.log, turnId, turn.entries.length + 1);
      this.report(writer);
      return writer.settle();
    }
  }

  /** Ends a turn in the journal, after the request that ran it was aborted. */
  async end(turnId: string): Promise<void> {
    const givenUpAt = performance.now() + PATIENCE;
    for (;;) {
      const turn = await this.journal.read(turnId);
      if (!turn || turn.status === 'ended') return;
      const isGivenUp = !turn.claim || performance.now() > givenUpAt;
      if (isGivenUp && (await endTurn(this.journal, recordOf(turn)))) return;
      await pause(INTERVAL);
    }
  }

  /** Tells readers that the turn was stopped. */
  report(writer: TurnEventWriter): void {
    writer.write({ type: 'finish', finishReason: STOPPED });
  }
}

function checkDecided(turn: JournaledTurn): void {
  const record = recordOf(turn);
  checkEntriesAreKnown(record);
  const { pending, begun } = record;
  if (turn.status !== 'suspended' || !begun?.length) return;
  throw new ToolApprovalException(
    `The turn '${turn.id}' cannot be stopped because some of its calls may have run. Decide about them with ` +
      'toolApprovals() first.',
    'uncertain',
    pending.filter(({ id }) => begun.includes(id)),
  );
}

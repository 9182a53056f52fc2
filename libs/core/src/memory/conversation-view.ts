import type { Message } from '../model/messages.js';
import type { ConversationTurn } from './conversation-log.js';
import { isSystem, withAdded } from './message-window.js';

/** The pin of a turn that summarizes earlier ones. */
export const SUMMARY = 'summary';

/** What turns of a conversation say to the model. */
export interface ConversationView {
  /** The messages that replace the turns up to {@link until}. */
  readonly summary: readonly Message[];
  /** The position of the last turn that the summary covers; -1 without one. */
  readonly until: number;
  /** The system messages, and all messages of the turns since. */
  readonly messages: readonly Message[];
}

/** The position of the last turn that a summary covers, and the ids of its turns. Undefined for other turns. */
export function coveredBy({ pin, messages }: ConversationTurn): { until: number; of?: readonly string[] } | undefined {
  const mark = messages.at(-1)?.metadata?.['summary'];
  return pin === SUMMARY ? (mark as { until: number } | undefined) : undefined;
}

/** @param pinned earlier turns; only their system messages and summaries count */
export function viewOf(turns: readonly ConversationTurn[], pinned: readonly ConversationTurn[]): ConversationView {
  const first = turns[0]?.position ?? Infinity;
  const earlier = pinned.filter(({ position }) => position < first);
  let summary: ConversationTurn | undefined;
  let until = -1;
  for (const turn of [...earlier, ...turns]) {
    const covered = coveredBy(turn)?.until ?? -1;
    // A conversation that was deleted and begins again may have got a late summary.
    if (covered >= Math.max(until, 0) && covered < turn.position) [summary, until] = [turn, covered];
  }
  let messages = earlier.flatMap((turn) => turn.messages.filter(isSystem));
  for (const turn of turns) {
    if (turn.pin === SUMMARY) continue;
    const said = turn.position > until ? turn.messages : turn.messages.filter(isSystem);
    if (said.some(isSystem)) messages = withAdded(messages, said);
    else messages.push(...said);
  }
  return { summary: summary?.messages ?? [], until, messages };
}

import type { AiApplication } from './ai-application.js';

/** Warns if a suspended turn can be lost when the process that resumes it dies. */
export function checkTurnClaims({ suspendedTurns }: AiApplication): readonly string[] {
  if (!suspendedTurns || suspendedTurns.claim) return [];
  return [
    `${suspendedTurns.constructor.name} has no claim(turnId, revision, claim). Implement this method of SuspendedTurnRepository. Without ` +
      'it, the turn is lost if the process dies while an approved tool runs.',
  ];
}

/** A journal records nothing if another repository stores the turns. */
export function checkTurnJournal({ suspendedTurns, turnJournal }: AiApplication): readonly string[] {
  if (!turnJournal || !suspendedTurns || suspendedTurns.update) return [];
  return [
    `AiModule has both a TurnJournal and the SuspendedTurnRepository ${suspendedTurns.constructor.name}, so that the journal would ` +
      'record nothing. Remove the repository: the journal stores suspended turns as well.',
  ];
}

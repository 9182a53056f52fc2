import type { AiApplication } from './ai-application.js';

/** Warns if a suspended turn can be lost when the process that resumes it dies. */
export function checkTurnClaims({ suspendedTurns }: AiApplication): readonly string[] {
  if (!suspendedTurns || suspendedTurns.claim) return [];
  return [
    `${suspendedTurns.constructor.name} has no claim(turnId, revision, claim). Implement this method of SuspendedTurnRepository. Without ` +
      'it, the turn is lost if the process dies while an approved tool runs.',
  ];
}

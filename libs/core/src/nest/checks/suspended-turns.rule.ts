import type { AiApplication } from './ai-application.js';

/** A turn survives the process that goes on with it. */
export function checkTurnClaims({ suspendedTurns }: AiApplication): readonly string[] {
  if (!suspendedTurns || suspendedTurns.claim) return [];
  return [
    `${suspendedTurns.constructor.name} keeps suspended turns and cannot claim them: a process that dies while an approved tool runs loses the turn. ` +
      'Add the method claim(turnId, revision, claim) of SuspendedTurnRepository.',
  ];
}

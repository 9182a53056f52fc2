import type { SuspendedTurn, SuspendedTurnRepository } from '@nestor-ai/core';

/** Puts a turn in place of the stored one, with its claim. */
export async function storeTurn(repository: SuspendedTurnRepository, turn: SuspendedTurn): Promise<void> {
  const { revision: _revision, claim, ...data } = turn;
  const stored = await repository.findById(turn.id);
  const change = { revision: stored?.revision ?? 0, entries: [], status: 'suspended', lease: undefined } as const;
  const revision = await repository.save(data, { ...change, owner: stored?.claim?.owner ?? 'nobody' });
  if (claim) await repository.claim(turn.id, revision!, claim.owner, Date.parse(claim.until) - Date.now());
}

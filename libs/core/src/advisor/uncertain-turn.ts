import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';

/** Suspends an interrupted turn until there is a decision about its calls that may have run. */
export async function waitForDecision(held: SuspendedTurn, repository: SuspendedTurnRepository): Promise<void> {
  const { revision, claim: _claim, ...data } = held;
  const { pending, context, inputs, messages } = held;
  // The last message has the responses. It is not part of the change.
  const from = messages.length - 1;
  await repository.update?.(data, {
    revision,
    entries: [{ kind: 'suspended', from, messages: [], pending, context, ...(inputs && { inputs }) }],
    status: 'suspended',
    owner: crypto.randomUUID(),
    lease: undefined,
  });
}

import type { TurnEntry } from '@nestor-ai/core';
import type { TurnFacts, TurnJournal } from '@nestor-ai/turns';
import { randomUUID } from 'node:crypto';

const LEASE = 30_000;
const RESULT = JSON.stringify({ temperature: 21, text: 'Sunny, with a light wind from the west. '.repeat(20) });

/** What a turn records, in appends: it begins, `rounds` rounds of one call, and the end. */
function appendsOf(rounds: number): readonly { entries: readonly TurnEntry[]; facts: TurnFacts }[] {
  const owned = { requester: 'ann', client: 'assistant', conversationId: randomUUID() };
  const running = (...pendingCallIds: string[]): TurnFacts => ({ ...owned, status: 'running', pendingCallIds });
  const appends: { entries: readonly TurnEntry[]; facts: TurnFacts }[] = [];
  const begun: TurnEntry = {
    kind: 'begun',
    messages: [{ role: 'user', text: 'What is the weather in Pylos?' }] as never,
    options: { model: 'any' },
    context: {},
  };
  for (let round = 0; round < rounds; round++) {
    const call = { id: randomUUID(), name: 'weather', arguments: '{"city":"Pylos"}' };
    const answered: TurnEntry = {
      kind: 'answered',
      from: 2 * round + 1,
      messages: [{ role: 'assistant', text: '', toolCalls: [call] }] as never,
      response: { metadata: { model: 'any' } },
      round,
      usageByRound: [{ promptTokens: 100, completionTokens: 20, totalTokens: 120 }],
    };
    const began: TurnEntry = { kind: 'call-began', call };
    const ended: TurnEntry = { kind: 'call-ended', response: { id: call.id, name: call.name, responseData: RESULT } };
    appends.push({ entries: [...(round === 0 ? [begun] : []), answered, began], facts: running(call.id) });
    appends.push({ entries: [ended], facts: running() });
  }
  appends.push({ entries: [{ kind: 'ended' }], facts: { ...running(), status: 'ended' } });
  return appends;
}

/** Records turns in a journal, so many at a time, and returns the number of appends. */
export async function recordTurns(
  journal: TurnJournal,
  { turns, concurrent, rounds }: { turns: number; concurrent: number; rounds: number },
): Promise<number> {
  let [left, appended] = [turns, 0];
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const turnId = randomUUID();
      let after = 0;
      for (const { entries, facts } of appendsOf(rounds)) {
        const lease = facts.status === 'ended' ? undefined : LEASE;
        if (!(await journal.append({ turnId, entries, after, owner: 'bench', lease, facts })))
          throw new Error('The journal has refused an append. No one else writes to this turn.');
        after += entries.length;
        appended++;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrent }, lane));
  return appended;
}

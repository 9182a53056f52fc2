import { describe, expect, it } from '@jest/globals';
import { turnJournalContract } from '@nestor-ai/testing/contract';
import { InMemoryTurnJournal } from './in-memory-turn-journal.js';
import type { TurnAppend } from './turn-journal.js';

describe('InMemoryTurnJournal', () => {
  const shared = new InMemoryTurnJournal();
  for (const { name, run, skipped } of turnJournalContract({ open: () => shared }))
    (skipped === undefined ? it : it.skip)(name, run);

  const begun = (turnId: string): TurnAppend => ({
    turnId,
    entries: [{ kind: 'ended' }],
    after: 0,
    owner: 'ann',
    facts: { status: 'running', pendingCallIds: [] },
  });

  it('deletes the least recently used turn when it is full', () => {
    const journal = new InMemoryTurnJournal({ maxTurns: 2 });
    for (const id of ['1', '2']) journal.append(begun(id));
    journal.read('1');
    journal.append(begun('3'));
    expect(['1', '2', '3'].map((id) => journal.read(id)?.id)).toEqual(['1', undefined, '3']);
  });

  it('gives each reader entries of its own', () => {
    const journal = new InMemoryTurnJournal();
    journal.append(begun('1'));
    (journal.read('1')!.entries as unknown[]).length = 0;
    Object.assign(journal.read('1')!.entries[0]!, { kind: 'failed' });
    expect(journal.read('1')!.entries).toEqual([{ kind: 'ended' }]);
  });
});

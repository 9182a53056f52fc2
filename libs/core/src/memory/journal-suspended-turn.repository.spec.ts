import { describe, expect, it } from '@jest/globals';
import { InMemoryTurnJournal } from './in-memory-turn-journal.js';
import { JournalSuspendedTurnRepository } from './journal-suspended-turn.repository.js';
import type { SuspendedTurn } from './suspended-turn.repository.js';
import type { TurnEntry } from './turn-entry.js';
import type { TurnAppend } from './turn-journal.js';

const CALL = { id: 'c1', name: 'pay', arguments: '{}' };
const TURN: SuspendedTurn = {
  id: 't',
  revision: 'r',
  requester: 'ann',
  client: 'default',
  suspendedAt: new Date(0).toISOString(),
  messages: [
    { role: 'user', text: 'Pay' },
    { role: 'assistant', text: '', toolCalls: [{ id: 'c0', name: 'look', arguments: '{}' }, CALL] },
    { role: 'tool', responses: [{ id: 'c0', name: 'look', responseData: 'seen' }] },
  ],
  response: { metadata: { model: 'm' } },
  pending: [CALL],
  options: { model: 'm' },
  context: { chat_memory_conversation_id: 'c' },
  round: 1,
  usageByRound: [],
  toolCallCounts: { look: 1, pay: 1 },
};

describe('the suspended turns of a journal', () => {
  it('are found as they were saved, by their id and by the calls that wait', async () => {
    const repository = new JournalSuspendedTurnRepository(new InMemoryTurnJournal());
    await repository.save(TURN);
    const { revision: _before, suspendedAt: _at, ...turn } = TURN;
    expect(await repository.findById('t')).toMatchObject(turn);
    expect(await repository.findByToolCallId('c1')).toHaveLength(1);
    expect(await repository.findByToolCallId('c0')).toEqual([]);
  });

  it('are saved again in place of what was stored, and removed once', async () => {
    const repository = new JournalSuspendedTurnRepository(new InMemoryTurnJournal());
    await repository.save(TURN);
    await repository.save({ ...TURN, pending: [], round: 2 });
    const { revision, round } = (await repository.findById('t'))!;
    expect(round).toBe(2);
    expect(await repository.remove('t', '1')).toBe(false);
    expect(await repository.remove('t', revision)).toBe(true);
    expect(await repository.remove('t', revision)).toBe(false);
    expect(await repository.findById('t')).toBeUndefined();
  });

  it('belong to one request at a time', async () => {
    const repository = new JournalSuspendedTurnRepository(new InMemoryTurnJournal());
    await repository.save(TURN);
    const { revision } = (await repository.findById('t'))!;
    const until = new Date(Date.now() + 60_000).toISOString();
    expect(await repository.claim('t', revision, { owner: 'a', until })).toBe(true);
    expect(await repository.claim('t', revision, { owner: 'b', until })).toBe(false);
    expect((await repository.findById('t'))!.claim).toMatchObject({ owner: 'a' });
    const change = { revision, entries: [{ kind: 'ended' as const }], status: 'ended' as const, lease: undefined };
    expect(await repository.update(TURN, { ...change, owner: 'b' })).toBeUndefined();
    expect(await repository.update(TURN, { ...change, owner: 'a' })).toBe(String(Number(revision) + 1));
  });

  it('are shown if a newer version has changed them, but not removed', async () => {
    const journal = new InMemoryTurnJournal();
    const repository = new JournalSuspendedTurnRepository(journal);
    await repository.save(TURN);
    const entries = [{ kind: 'paused' } as unknown as TurnEntry];
    const facts = { status: 'suspended', pendingCallIds: ['c1'] } as const;
    journal.append({ turnId: 't', entries, after: journal.read('t')!.entries.length, owner: 'newer', facts });
    const [turn] = await repository.findByToolCallId('c1');
    expect(turn).toMatchObject({ id: 't', pending: [CALL], unknownEntry: 'paused' });
    await expect(repository.remove('t', turn!.revision)).rejects.toMatchObject({ problem: 'unavailable' });
    expect(journal.read('t')!.status).toBe('suspended');
  });

  it('are stored once if the store reports a failure although it has stored them', async () => {
    class Unsure extends InMemoryTurnJournal {
      override append(append: TurnAppend): boolean {
        const isStored = super.append(append);
        if (isStored && append.entries.some(({ kind }) => kind === 'call-began')) throw new Error('connection lost');
        return isStored;
      }
    }
    const journal = new Unsure();
    const repository = new JournalSuspendedTurnRepository(journal);
    await repository.save(TURN);
    const { revision } = (await repository.findById('t'))!;
    const began = { kind: 'call-began' as const, call: CALL };
    const ended = { kind: 'call-ended' as const, response: { id: 'c1', name: 'pay', responseData: 'done' } };
    const change = { revision, status: 'running' as const, owner: 'a', lease: 60_000 };
    await expect(repository.update(TURN, { ...change, entries: [began] })).rejects.toThrow('connection lost');
    expect(await repository.update(TURN, { ...change, entries: [began, ended] })).toBe(String(Number(revision) + 2));
    const kinds = journal.read('t')!.entries.map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['call-began', 'call-ended']);
  });
});

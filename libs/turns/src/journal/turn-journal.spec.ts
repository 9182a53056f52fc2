import { describe, expect, it } from '@jest/globals';
import type { SuspendedTurn, TurnEntry } from '@nestor-ai/core';
import { endTurn } from '@nestor-ai/core/internal';
import { InMemoryTurnJournal } from './in-memory-turn-journal.js';
import type { TurnAppend } from './turn-journal.js';

const CALL = { id: 'c1', name: 'pay', arguments: '{}' };
const TURN: SuspendedTurn = {
  id: 't',
  revision: 1,
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

const { revision: _none, ...DATA } = TURN;
const [user, asked] = TURN.messages;
const ENTRIES: readonly TurnEntry[] = [
  { kind: 'begun', messages: [user!], options: TURN.options, context: TURN.context },
  {
    kind: 'answered',
    from: 1,
    messages: [asked!],
    response: TURN.response,
    round: 1,
    usageByRound: [],
    toolCallCounts: TURN.toolCallCounts,
  },
  { kind: 'call-ended', response: { id: 'c0', name: 'look', responseData: 'seen' } },
  { kind: 'suspended', from: 2, messages: [], pending: [CALL], context: TURN.context },
];

/** Stores the turn while it waits. @returns its revision */
async function suspend(repository: InMemoryTurnJournal): Promise<number> {
  const change = { entries: ENTRIES, status: 'suspended', owner: 'first', lease: undefined } as const;
  return (await repository.save(DATA, { revision: 0, ...change }))!;
}

describe('the suspended turns of a journal', () => {
  it('are found as they were saved, by their id and by the calls that wait', async () => {
    const repository = new InMemoryTurnJournal();
    await suspend(repository);
    const { suspendedAt: _at, ...turn } = DATA;
    expect(await repository.findById('t')).toMatchObject(turn);
    expect(await repository.findByToolCallId('c1')).toHaveLength(1);
    expect(await repository.findByToolCallId('c0')).toEqual([]);
  });

  it('are ended once', async () => {
    const repository = new InMemoryTurnJournal();
    await suspend(repository);
    const turn = (await repository.findById('t'))!;
    expect(await endTurn(repository, { ...turn, revision: 1 })).toBe(false);
    expect(await endTurn(repository, turn)).toBe(true);
    expect(await endTurn(repository, turn)).toBe(false);
    expect(await repository.findById('t')).toBeUndefined();
  });

  it('belong to one request at a time', async () => {
    const repository = new InMemoryTurnJournal();
    const revision = await suspend(repository);
    expect(await repository.claim('t', revision, 'a', 60_000)).toBe(true);
    expect(await repository.claim('t', revision, 'b', 60_000)).toBe(false);
    expect((await repository.findById('t'))!.claim).toMatchObject({ owner: 'a' });
    const change = { revision, entries: [{ kind: 'ended' as const }], status: 'ended' as const, lease: undefined };
    expect(await repository.save(DATA, { ...change, owner: 'b' })).toBeUndefined();
    expect(await repository.save(DATA, { ...change, owner: 'a' })).toBe(revision + 1);
  });

  it('are shown if a newer version has changed them, but not ended', async () => {
    const journal = new InMemoryTurnJournal();
    await suspend(journal);
    const entries = [{ kind: 'paused' } as unknown as TurnEntry];
    const facts = { status: 'suspended', pendingCallIds: ['c1'] } as const;
    journal.append({ turnId: 't', entries, after: journal.read('t')!.entries.length, owner: 'newer', facts });
    const [turn] = await journal.findByToolCallId('c1');
    expect(turn).toMatchObject({ id: 't', pending: [CALL], unknownEntry: 'paused' });
    await expect(endTurn(journal, turn!)).rejects.toMatchObject({ problem: 'unavailable' });
    expect(journal.read('t')!.status).toBe('suspended');
  });

  it('are not ended by a writer who knows less than their owner has added', async () => {
    const repository = new InMemoryTurnJournal();
    const revision = await suspend(repository);
    await repository.claim('t', revision, 'a', 60_000);
    const read = (await repository.findById('t'))!;
    const began = { kind: 'call-began' as const, call: CALL };
    await repository.save(DATA, { revision, entries: [began], status: 'running', owner: 'a', lease: 60_000 });
    expect(await endTurn(repository, read)).toBe(false);
    expect(await endTurn(repository, (await repository.findById('t'))!)).toBe(true);
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
    const revision = await suspend(journal);
    const began = { kind: 'call-began' as const, call: CALL };
    const ended = { kind: 'call-ended' as const, response: { id: 'c1', name: 'pay', responseData: 'done' } };
    const change = { revision, status: 'running' as const, owner: 'a', lease: 60_000 };
    await expect(journal.save(DATA, { ...change, entries: [began] })).rejects.toThrow('connection lost');
    expect(await journal.save(DATA, { ...change, entries: [began, ended] })).toBe(revision + 2);
    const kinds = journal.read('t')!.entries.map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['call-began', 'call-ended']);
  });
});

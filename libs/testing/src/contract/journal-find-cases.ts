import type { TurnFacts, TurnJournal, TurnQuery, TurnSummary } from '@nestor-ai/turns';
import { assertEqual } from './assertions.js';
import { appendOf, BEGUN, type TurnJournalHarness, LONG, readTurn, RUNNING, store, until } from './journal-checks.js';
import { newId, type StoreCases } from './store-checks.js';

async function storeTurn(journal: TurnJournal, facts: Partial<TurnFacts>, lease?: number): Promise<string> {
  const id = newId();
  await store(journal, appendOf(id, { facts: { ...RUNNING, ...facts }, lease }));
  return id;
}

/** The ids of the turns that a journal finds, sorted. */
async function idsOf(journal: TurnJournal, query: Partial<TurnQuery>): Promise<readonly string[]> {
  const found: readonly TurnSummary[] = await journal.find({ limit: 100, ...query });
  return found.map(({ id }) => id).toSorted();
}

/** What `find()` must do. Each case has a requester of its own, since the store is shared. */
export const JOURNAL_FIND_CASES: StoreCases<TurnJournalHarness> = {
  'finds turns by id, requester, client and conversation': async ({ open }) => {
    const [journal, requester, client, conversationId] = [await open(), newId(), newId(), newId()];
    const both = await storeTurn(journal, { requester, client, conversationId });
    const sameRequester = await storeTurn(journal, { requester, client: newId() });
    const sameClient = await storeTurn(journal, { client });
    const sameConversation = await storeTurn(journal, { conversationId, requester: newId() });
    const check = async (query: Partial<TurnQuery>, ids: readonly string[]) =>
      assertEqual(await idsOf(journal, query), ids.toSorted(), `find() by ${Object.keys(query).join(', ')}`);
    await check({ requester }, [both, sameRequester]);
    await check({ client }, [both, sameClient]);
    await check({ conversationId }, [both, sameConversation]);
    await check({ requester, client }, [both]);
    await check({ requester, conversationId, client }, [both]);
    await check({ id: both }, [both]);
    await check({ id: both, requester }, [both]);
    await check({ id: sameClient, requester }, []);
    await check({ id: newId() }, []);
    await check({ requester: newId() }, []);
    await check({ requester: requester.toUpperCase() }, []);
  },
  'finds turns by their status': async ({ open }) => {
    const [journal, requester] = [await open(), newId()];
    const statuses = ['queued', 'running', 'suspended', 'failed', 'ended'] as const;
    const ids = new Map<string, string>();
    for (const status of statuses) ids.set(status, await storeTurn(journal, { requester, status }));
    for (const status of statuses)
      assertEqual(
        await idsOf(journal, { requester, status: [status] }),
        [ids.get(status)],
        `find() of ${status} turns`,
      );
    const some = await idsOf(journal, { requester, status: ['queued', 'ended'] });
    assertEqual(some, [ids.get('queued')!, ids.get('ended')!].toSorted(), 'find() of queued and ended turns');
    assertEqual(await idsOf(journal, { requester, status: [] }), [], 'No turn has one of no statuses');
    assertEqual((await idsOf(journal, { requester })).length, 5, 'Without a status, find() returns all turns');
  },
  'finds the turns that no process works on': async ({ open }) => {
    const [journal, requester] = [await open(), newId()];
    const held = await storeTurn(journal, { requester }, LONG);
    const free = await storeTurn(journal, { requester });
    const lapsed = await storeTurn(journal, { requester }, 1);
    const query = { requester, status: ['queued', 'running'], isUnclaimed: true } as const;
    await until('A turn whose lease has ended is found', async () => (await idsOf(journal, query)).length === 2);
    assertEqual(await idsOf(journal, query), [free, lapsed].toSorted(), 'find() leaves out the held turn');
    const summaries = await journal.find({ requester, limit: 3 });
    const claimOf = (id: string) => summaries.find((turn) => turn.id === id)?.claim?.owner;
    assertEqual([held, free, lapsed].map(claimOf), ['ann', undefined, undefined], 'Only a held turn has a claim');
    const lapsedOf = (id: string) => summaries.find((turn) => turn.id === id)?.lapsedOwner;
    assertEqual([held, free, lapsed].map(lapsedOf), [undefined, undefined, 'ann'], 'A lapsed lease has an owner');
    assertEqual((await readTurn(journal, lapsed)).lapsedOwner, 'ann', 'read() has the owner of a lapsed lease');
    assertEqual(await journal.claim(held, 1, 'ann', 1), true, 'The owner can shorten its claim');
    await until('A turn is found when its lease ends', async () => (await idsOf(journal, query)).length === 3);
  },
  'finds a turn by a call that waits': async ({ open }) => {
    const [journal, requester, call, other] = [await open(), newId(), newId(), newId()];
    const one = await storeTurn(journal, { requester, status: 'suspended', pendingCallIds: [other, call] });
    const two = await storeTurn(journal, { status: 'running', pendingCallIds: [call] }, LONG);
    await storeTurn(journal, { requester, pendingCallIds: [`${call}${other}`] });
    assertEqual(await idsOf(journal, { pendingCallId: call }), [one, two].toSorted(), 'find() of a pending call');
    assertEqual(await idsOf(journal, { pendingCallId: call, requester }), [one], 'find() of the call of a requester');
    await store(journal, appendOf(one, { after: 1, entries: [BEGUN], facts: { ...RUNNING, requester } }));
    assertEqual(await idsOf(journal, { pendingCallId: call }), [two], 'A call that waits no more is not found');
  },
  'finds the turns that have not changed for a time': async ({ open }) => {
    const [journal, requester] = [await open(), newId()];
    const id = await storeTurn(journal, { requester });
    assertEqual(await idsOf(journal, { requester, unchangedFor: LONG }), [], 'A new turn has changed');
    await until('A turn is found that has not changed for 1 ms', async () => {
      return (await idsOf(journal, { requester, unchangedFor: 1 })).includes(id);
    });
  },
  'says for how long a turn has not changed: since the last append, whatever claimed it since': async ({ open }) => {
    const [journal, other, requester] = [await open(), await open(), newId()];
    const id = await storeTurn(journal, { requester });
    const age = async () => (await readTurn(other, id)).unchangedFor;
    const first = await age();
    assertEqual(first >= 0 && first < LONG, true, `unchangedFor of a new turn is in milliseconds, and not ${first}`);
    await until('A turn gets older', async () => (await age()) >= first + 20);
    await journal.claim(id, 1, 'bob', LONG);
    const claimed = await age();
    assertEqual(claimed >= first + 20, true, 'A claim does not change unchangedFor');
    const [summary] = await journal.find({ requester, limit: 1 });
    assertEqual((summary?.unchangedFor ?? 0) >= claimed, true, 'A list has unchangedFor');
    let after = 1;
    await until('An append makes the turn new', async () => {
      await store(journal, appendOf(id, { after: after++, owner: 'bob', facts: { ...RUNNING, requester } }));
      return (await age()) < claimed;
    });
  },
  'finds the turns that changed before a time by the clock of the store': async ({ open }) => {
    const [journal, requester] = [await open(), newId()];
    const first = await storeTurn(journal, { requester });
    const { updatedAt } = await readTurn(journal, first);
    let second = await storeTurn(journal, { requester });
    while ((await readTurn(journal, second)).updatedAt === updatedAt) second = await storeTurn(journal, { requester });
    const { updatedAt: changedBefore } = await readTurn(journal, second);
    // The oldest first: a fast machine may have stored more turns at the second time than a list has.
    const found = await idsOf(journal, { requester, changedBefore, isOldestFirst: true });
    assertEqual([found.includes(first), found.includes(second)], [true, false], 'find() of turns before the second');
  },
  'keeps the place of a turn that stays queued': async ({ open }) => {
    const [journal, requester] = [await open(), newId()];
    const facts = { ...RUNNING, status: 'queued', requester } as const;
    const first = await storeTurn(journal, facts);
    const { updatedAt } = await readTurn(journal, first);
    await until('Time passes between two turns', async () => {
      return (await readTurn(journal, await storeTurn(journal, facts))).updatedAt !== updatedAt;
    });
    await store(journal, appendOf(first, { after: 1, facts }));
    const [oldest] = await journal.find({ requester, isOldestFirst: true, limit: 1 });
    assertEqual(oldest?.id, first, 'A turn that stays queued is as old as before');
  },
  'returns at most as many turns as wanted, the last changed first, without entries': async ({ open }) => {
    const [journal, requester] = [await open(), newId()];
    const ids: string[] = [];
    const changed = async (id: string, before: string | undefined) =>
      (await readTurn(journal, id)).updatedAt !== before;
    for (let index = 0; index < 4; index++) {
      const before = ids[index - 1] && (await readTurn(journal, ids[index - 1]!)).updatedAt;
      await until('Time passes between two turns', async () => changed(await storeTurn(journal, {}), before));
      ids.push(await storeTurn(journal, { requester }));
    }
    const { updatedAt } = await readTurn(journal, ids[3]!);
    await until('Time passes between two turns', async () => changed(await storeTurn(journal, {}), updatedAt));
    await store(journal, appendOf(ids[1]!, { after: 1, facts: { ...RUNNING, requester } }));
    const found = await journal.find({ requester, limit: 3 });
    assertEqual(
      found.map(({ id }) => id),
      [ids[1], ids[3], ids[2]],
      'The turn that changed last comes first',
    );
    const oldest = await journal.find({ requester, isOldestFirst: true, limit: 3 });
    assertEqual(
      oldest.map(({ id }) => id),
      [ids[0], ids[2], ids[3]],
      'With isOldestFirst, the turn that has not changed for the longest time comes first',
    );
    assertEqual(
      found.some((turn) => 'entries' in turn),
      false,
      'A list has no entries',
    );
    const { entries: _entries, claim: _claim, unchangedFor: _age, ...turn } = await readTurn(journal, ids[1]!);
    const { claim: _listed, unchangedFor: _listedAge, ...summary } = found[0]!;
    assertEqual(summary, turn, 'A list has the data of a turn');
  },
};

import { assertEqual } from './assertions.js';
import {
  appendOf,
  BEGUN,
  ENDED,
  entryOf,
  type TurnJournalHarness,
  LONG,
  readTurn,
  RUNNING,
  store,
  until,
} from './journal-checks.js';
import { newId, type StoreCases } from './store-checks.js';

/** What `append()` and `read()` must do. */
export const JOURNAL_APPEND_CASES: StoreCases<TurnJournalHarness> = {
  'stores the entries of a new turn, its data and its owner': async ({ open }) => {
    const [journal, other] = [await open(), await open()];
    const [id, conversationId, requester] = [newId(), newId(), newId()];
    const facts = {
      status: 'suspended',
      requester,
      client: 'shop',
      conversationId,
      pendingCallIds: ['b', 'a'],
    } as const;
    await store(journal, appendOf(id, { entries: [BEGUN, entryOf('1')], facts, lease: LONG }));
    const { entries, updatedAt, unchangedFor: _age, claim, ...rest } = await readTurn(other, id);
    assertEqual(rest, { ...facts, id }, 'read() gives the data of a turn');
    assertEqual(entries, [BEGUN, entryOf('1')], 'read() gives the entries of a turn, oldest first');
    assertEqual(new Date(updatedAt).toISOString(), updatedAt, 'updatedAt is ISO 8601');
    assertEqual(claim?.owner, 'ann', 'The writer holds the turn');
    const remaining = claim?.remaining ?? 0;
    assertEqual(remaining > 0 && remaining <= LONG, true, `The claim has time left, and at most ${LONG} ms`);
  },
  'knows nothing of a turn that was never stored': async ({ open }) => {
    assertEqual(await (await open()).read(newId()), undefined, 'read() gives undefined for an unknown turn');
  },
  'adds entries to the end, and replaces the data of the turn': async ({ open }) => {
    const [journal, id] = [await open(), newId()];
    await store(journal, appendOf(id, { facts: { ...RUNNING, requester: 'ada', pendingCallIds: ['1'] } }));
    await store(journal, appendOf(id, { after: 1, entries: [entryOf('1'), entryOf('2')] }));
    const facts = { status: 'failed', client: 'shop', pendingCallIds: ['2', '3'] } as const;
    await store(journal, appendOf(id, { after: 3, entries: [entryOf('3')], facts, lease: undefined }));
    const { entries, updatedAt: _updatedAt, unchangedFor: _age, ...rest } = await readTurn(journal, id);
    assertEqual(
      entries,
      [BEGUN, entryOf('1'), entryOf('2'), entryOf('3')],
      'The entries are in the order of the appends',
    );
    assertEqual(rest, { ...facts, id }, 'The data is that of the last append, and without a lease there is no claim');
  },
  'keeps what it got even if the caller changes it later': async ({ open }) => {
    const [journal, id] = [await open(), newId()];
    const [entry, pendingCallIds] = [{ kind: 'call-withdrawn' as const, callId: 'before' }, ['before']];
    const [entries, facts] = [[entry], { ...RUNNING, pendingCallIds }];
    const appended = journal.append(appendOf(id, { entries, facts }));
    entry.callId = 'after';
    entries.push(entry);
    pendingCallIds.push('after');
    assertEqual(await appended, true, 'append() stores the entries');
    const turn = await readTurn(journal, id);
    assertEqual(turn.entries, [entryOf('before')], 'The entries are those at the time of the append');
    assertEqual(turn.pendingCallIds, ['before'], 'The data is that at the time of the append');
  },
  'refuses entries for another number of entries than the turn has': async ({ open }) => {
    const [journal, id] = [await open(), newId()];
    assertEqual(await journal.append(appendOf(id, { after: 1 })), false, 'A turn begins after 0 entries');
    assertEqual(await journal.read(id), undefined, 'A refused append does not create a turn');
    await store(journal, appendOf(id, { entries: [BEGUN, entryOf('1')] }));
    for (const after of [0, 1, 3, 4]) {
      const refused = appendOf(id, {
        after,
        entries: [entryOf('no'), entryOf('no')],
        facts: { ...RUNNING, requester: 'no' },
      });
      assertEqual(await journal.append(refused), false, `A turn with 2 entries refuses entries after ${after}`);
    }
    const turn = await readTurn(journal, id);
    assertEqual(turn.entries, [BEGUN, entryOf('1')], 'A refused append stores none of its entries');
    assertEqual(turn.requester, undefined, 'A refused append does not change the data');
  },
  'refuses the entries of another owner while the lease runs': async ({ open }) => {
    const [journal, other, id] = [await open(), await open(), newId()];
    await store(journal, appendOf(id));
    const of = (owner: string, after: number) => appendOf(id, { owner, after, entries: [entryOf(owner)] });
    assertEqual(await other.append(of('bob', 1)), false, 'Only the owner appends to a held turn');
    await store(journal, of('ann', 1));
    assertEqual((await readTurn(other, id)).claim?.owner, 'ann', 'A refused append does not change the owner');
  },
  'accepts the entries of another owner when the lease has ended or was given up': async ({ open }) => {
    const [journal, other] = [await open(), await open()];
    for (const lease of [1, undefined]) {
      const id = newId();
      await store(journal, appendOf(id, { lease }));
      const taken = appendOf(id, { owner: 'bob', after: 1, entries: [entryOf('bob')] });
      await until('A turn without a claim accepts a new owner', async () => other.append(taken));
      assertEqual((await readTurn(journal, id)).claim?.owner, 'bob', 'The writer is the new owner');
      assertEqual(await journal.append(appendOf(id, { after: 2 })), false, 'The owner before has lost the turn');
    }
  },
  'lets only one of several concurrent writers append after the same entry': async ({ open }) => {
    const [journal, other, id] = [await open(), await open(), newId()];
    for (const after of [0, 1, 2]) {
      const owners = Array.from({ length: 10 }, (_, index) => `owner ${index}`);
      const stored = await Promise.all(
        owners.map(async (owner, index) =>
          (index % 2 ? journal : other).append(
            appendOf(id, { owner, after, entries: [entryOf(owner)], lease: undefined }),
          ),
        ),
      );
      const winners = owners.filter((_, index) => stored[index]);
      assertEqual(winners.length, 1, 'One of ten writers appends after the same entry');
      const { entries } = await readTurn(journal, id);
      assertEqual(entries[after], entryOf(winners[0]!), 'The entry is that of the writer that was told so');
      assertEqual(entries.length, after + 1, 'The other writers added nothing');
    }
  },
  'keeps appends of different turns apart that are made at the same time': async ({ open }) => {
    const [journal, ids] = [await open(), Array.from({ length: 20 }, newId)];
    await store(journal, appendOf(ids[0]!, { owner: 'bob' }));
    const stored = await Promise.all(
      ids.map(async (id) => journal.append(appendOf(id, { entries: [entryOf(id), BEGUN] }))),
    );
    assertEqual(
      stored,
      ids.map((_, index) => index > 0),
      'A refused append does not refuse the others',
    );
    for (const id of ids.slice(1))
      assertEqual((await readTurn(journal, id)).entries, [entryOf(id), BEGUN], 'Each turn has its own entries');
  },
  'keeps the order of appends that do not wait for each other': async ({ open }) => {
    const [journal, id] = [await open(), newId()];
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const stored = await Promise.all(
      numbers.map(async (after) => journal.append(appendOf(id, { after, entries: [entryOf(`${after}`)] }))),
    );
    assertEqual(
      stored,
      numbers.map(() => true),
      'Each append finds the entries of the one before',
    );
    const { entries } = await readTurn(journal, id);
    assertEqual(
      entries,
      numbers.map((after) => entryOf(`${after}`)),
      'The entries are in the order of the appends',
    );
  },
  'never changes a turn that has ended': async ({ open }) => {
    const [journal, id] = [await open(), newId()];
    await store(
      journal,
      appendOf(id, { entries: [BEGUN, ENDED], facts: { ...RUNNING, status: 'ended' }, lease: undefined }),
    );
    assertEqual(await journal.append(appendOf(id, { after: 2 })), false, 'An ended turn refuses entries');
    assertEqual((await readTurn(journal, id)).entries, [BEGUN, ENDED], 'An ended turn keeps its entries');
  },
};

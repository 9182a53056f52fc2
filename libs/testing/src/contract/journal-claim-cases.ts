import { assertEqual } from './assertions.js';
import { appendOf, BEGUN, type TurnJournalHarness, LONG, readTurn, RUNNING, store, until } from './journal-checks.js';
import { newId, type StoreCases } from './store-checks.js';

/** What `claim()` must do. */
export const JOURNAL_CLAIM_CASES: StoreCases<TurnJournalHarness> = {
  'claims a turn that no process works on': async ({ open }) => {
    const [journal, other, id] = [await open(), await open(), newId()];
    await store(journal, appendOf(id, { lease: undefined }));
    const { claim: none } = await readTurn(journal, id);
    assertEqual(none, undefined, 'A turn that was given up has no claim');
    assertEqual(await other.claim(id, 1, 'bob', LONG), true, 'claim() says that the turn is held');
    const { claim, entries, status } = await readTurn(journal, id);
    assertEqual(claim?.owner, 'bob', 'The claim has an owner');
    assertEqual({ entries, status }, { entries: [BEGUN], status: 'running' }, 'A claim changes nothing else');
    assertEqual(await journal.append(appendOf(id, { after: 1 })), false, 'Others cannot append to a claimed turn');
  },
  'extends the claim of the same owner, and refuses other owners': async ({ open }) => {
    const [journal, other, id] = [await open(), await open(), newId()];
    await store(journal, appendOf(id, { lease: LONG }));
    assertEqual(await other.claim(id, 1, 'bob', LONG), false, 'A held turn cannot be claimed by another owner');
    assertEqual(await journal.claim(id, 1, 'ann', 3 * LONG), true, 'The owner can extend its claim');
    const { claim } = await readTurn(journal, id);
    assertEqual((claim?.remaining ?? 0) > LONG, true, 'The extended claim is longer');
    assertEqual(claim?.owner, 'ann', 'A refused claim does not change the owner');
  },
  'lets another owner claim the turn when the lease has ended': async ({ open }) => {
    const [journal, other, id] = [await open(), await open(), newId()];
    await store(journal, appendOf(id, { lease: LONG }));
    assertEqual(await journal.claim(id, 1, 'ann', 1), true, 'The owner can shorten its claim');
    await until('A turn whose lease has ended can be claimed', async () => other.claim(id, 1, 'bob', LONG));
    assertEqual(await journal.claim(id, 1, 'ann', LONG), false, 'The owner before has lost the turn');
  },
  'lets only one of several concurrent owners claim a turn': async ({ open }) => {
    const [journal, other, id] = [await open(), await open(), newId()];
    await store(journal, appendOf(id, { lease: undefined }));
    const owners = Array.from({ length: 10 }, (_, index) => `owner ${index}`);
    const claimed = await Promise.all(
      owners.map(async (owner, index) => (index % 2 ? journal : other).claim(id, 1, owner, LONG)),
    );
    const winners = owners.filter((_, index) => claimed[index]);
    assertEqual(winners.length, 1, 'One of ten owners gets the turn');
    assertEqual((await readTurn(journal, id)).claim?.owner, winners[0], 'It is the one that claim() says');
  },
  'claims only a turn that exists, has not ended and has as many entries': async ({ open }) => {
    const [journal, id, ended] = [await open(), newId(), newId()];
    assertEqual(await journal.claim(newId(), 0, 'ann', LONG), false, 'An unknown turn cannot be claimed');
    await store(journal, appendOf(id, { entries: [BEGUN, BEGUN], lease: undefined }));
    for (const after of [0, 1, 3])
      assertEqual(
        await journal.claim(id, after, 'ann', LONG),
        false,
        `A turn with 2 entries is not claimed after ${after}`,
      );
    await store(journal, appendOf(ended, { facts: { ...RUNNING, status: 'ended' }, lease: undefined }));
    assertEqual(await journal.claim(ended, 1, 'ann', LONG), false, 'An ended turn cannot be claimed');
    assertEqual((await readTurn(journal, id)).claim, undefined, 'A refused claim changes nothing');
  },
};

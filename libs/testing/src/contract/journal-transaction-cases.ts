import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnJournal } from '@nestor-ai/turns';
import { assertEqual, fail } from './assertions.js';
import { type TurnJournalHarness } from './journal-checks.js';
import { newId, type StoreCases } from './store-checks.js';

async function once<T>(journal: TurnJournal, turnId: string, key: string, work: () => T | Promise<T>): Promise<T> {
  if (!journal.transaction) return fail('The journal has transaction()', 'a method', undefined);
  return journal.transaction(turnId, key, async () => work());
}

/** What `transaction()` must do, if a journal has it. */
export const JOURNAL_TRANSACTION_CASES: StoreCases<TurnJournalHarness> = {
  'runs the code of a transaction once per turn and key, and returns its first result again': async ({ open }) => {
    const [journal, other, turn] = [await open(), await open(), newId()];
    const result = JSON.parse('{"b":[1,"a\\u0000\\ud800"],"a":null,"__proto__":{"x":1}}') as unknown;
    assertEqual(await once(journal, turn, 'key', () => result), result, 'The first call returns the result');
    const again = await once(other, turn, 'key', () => fail('The code runs once', 'one run', 'a second run'));
    assertEqual(again, result, 'The second call returns the result of the first');
    assertEqual(await once(journal, turn, 'key 2', () => 2), 2, 'Another key is another transaction');
    assertEqual(await once(journal, newId(), 'key', () => 3), 3, 'Another turn has its own keys');
    assertEqual(await once(journal, turn, 'key 3', () => undefined), undefined, 'A result can be undefined');
    assertEqual(await once(journal, turn, 'key 3', (): unknown => 1), undefined, 'undefined is a result, too');
  },
  'runs the code of concurrent transactions with the same key once': async ({ open }) => {
    const [journal, other, turn] = [await open(), await open(), newId()];
    let runs = 0;
    const work = async (): Promise<number> => {
      runs++;
      await sleep(10);
      return runs;
    };
    const results = await Promise.all([journal, other, journal].map(async (each) => once(each, turn, 'key', work)));
    assertEqual(results, [1, 1, 1], 'Each call returns the result of the one run');
  },
  'stores nothing when the code of a transaction throws': async ({ open }) => {
    const [journal, turn] = [await open(), newId()];
    const error = new Error('The code failed.');
    const thrown = await once(journal, turn, 'key', () => Promise.reject(error)).catch((reason: unknown) => reason);
    assertEqual(thrown === error, true, 'The error of the code is thrown as it is');
    assertEqual(await once(journal, turn, 'key', () => 'second try'), 'second try', 'The code runs again');
  },
};

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { turnJournalContract } from '@nestor-ai/testing/contract';
import { DATABASES, openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresTurnJournal } from './postgres-turn-journal.js';

describe.each(DATABASES)('PostgresTurnJournal on %s', (_name, options) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase(options);
  });

  afterAll(async () => test.close());

  it('finds turns without a limit, as the one in memory does', async () => {
    expect(await new PostgresTurnJournal(test.database).find({ limit: Infinity })).toEqual([]);
  });

  const contract = turnJournalContract({ open: () => new PostgresTurnJournal(test.database), hasTransactions: true });
  for (const { name, run } of contract) it(name, run);
});

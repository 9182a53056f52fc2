import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresUsageLedger } from './postgres-usage.ledger.js';

describe('a ledger in PostgreSQL', () => {
  let test: TestDatabase;
  let ledger: PostgresUsageLedger;

  beforeAll(async () => {
    test = await openTestDatabase();
    ledger = new PostgresUsageLedger(test.database);
  });

  afterAll(() => test.close());

  /** As if the time of the window had passed. */
  const endWindow = (key: string) =>
    test.pool.query(
      `UPDATE ${test.database.table('usage')} SET resets_at = now() - interval '1 second' WHERE key = $1`,
      [key],
    );

  it('adds up under any key', async () => {
    const key = "a';\0\ud800";
    await ledger.add(key, { tokens: 10, cost: 0.1 }, undefined);
    await ledger.add(key, { tokens: 5, cost: 0.2 }, 60_000);
    expect(await ledger.spent(key)).toEqual({ tokens: 15, cost: 0.1 + 0.2 });
    expect(await ledger.spent('other')).toEqual({ tokens: 0, cost: 0 });
  });

  it('starts again when the window has ended', async () => {
    await ledger.add('window', { tokens: 10, cost: 1 }, 60_000);
    await endWindow('window');
    expect(await ledger.spent('window')).toEqual({ tokens: 0, cost: 0 });
    await ledger.add('window', { tokens: 1, cost: 0 }, 60_000);
    expect(await ledger.spent('window')).toEqual({ tokens: 1, cost: 0 });
  });

  it('never lets two replicas reserve the last amount', async () => {
    const other = new PostgresUsageLedger(test.database);
    const reserved = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? ledger : other).reserve('race', { tokens: 10, cost: 0 }, { tokens: 50 }, undefined),
      ),
    );
    expect(reserved.filter((settle) => settle !== undefined)).toHaveLength(5);
    expect(await ledger.spent('race')).toEqual({ tokens: 50, cost: 0 });
  });

  it('replaces a reservation by what was spent', async () => {
    const settle = await ledger.reserve('settled', { tokens: 10, cost: 1 }, { tokens: 100, cost: 5 }, 60_000);
    await settle!({ tokens: 3, cost: 0.5 });
    expect(await ledger.spent('settled')).toEqual({ tokens: 3, cost: 0.5 });
  });

  it('counts what was spent in the next window if the window of the reservation has ended', async () => {
    const settle = await ledger.reserve('late', { tokens: 10, cost: 0 }, { tokens: 100 }, 60_000);
    await endWindow('late');
    await ledger.add('late', { tokens: 1, cost: 0 }, 60_000);
    await settle!({ tokens: 3, cost: 0 });
    expect(await ledger.spent('late')).toEqual({ tokens: 4, cost: 0 });
  });

  it('refuses a reservation when any unit is used up, or the budget is 0', async () => {
    await ledger.add('used', { tokens: 1, cost: 5 }, undefined);
    expect(await ledger.reserve('used', { tokens: 1, cost: 1 }, { tokens: 100, cost: 5 }, undefined)).toBeUndefined();
    expect(await ledger.reserve('new', { tokens: 1, cost: 1 }, { tokens: 0 }, undefined)).toBeUndefined();
  });
});

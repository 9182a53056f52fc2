import { expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { describeOnServer, openTestDatabase, TEST_POSTGRES } from '../../../../test/postgres/test-database.js';
import { PostgresUsageLedger } from '../budget/postgres-usage.ledger.js';
import { PostgresDatabase } from './postgres-database.js';

(await describeOnServer('Stricter isolations'))('a server whose default isolation is stricter', () => {
  it.each(['repeatable\\ read', 'serializable'])('counts what many requests spend at once: %s', async (isolation) => {
    const test = await openTestDatabase();
    const options = `-c default_transaction_isolation=${isolation}`;
    const pool = new Pool({ connectionString: TEST_POSTGRES, max: 10, options });
    const ledger = new PostgresUsageLedger(new PostgresDatabase(pool, test.schema));
    await Promise.all(Array.from({ length: 30 }, () => ledger.add('ann', { tokens: 1, cost: 0 }, undefined)));
    expect(await ledger.spent('ann')).toEqual({ tokens: 30, cost: 0 });
    await pool.end();
    await test.close();
  });
});

import { expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { describeOnServer, openTestDatabase, TEST_POSTGRES } from '../../../../test/postgres/test-database.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { applyMigrations } from './migrate.js';
import { MIGRATIONS } from './migrations.js';

(await describeOnServer('Migrations'))('replicas that start at the same time', () => {
  it('wait for each other although the server limits how long locks are waited for', async () => {
    const test = await openTestDatabase({ migrate: false });
    const options = { connectionString: TEST_POSTGRES, options: '-c lock_timeout=10' };
    const pools = Array.from({ length: 4 }, () => new Pool(options));
    await Promise.all(pools.map((pool) => applyMigrations(new PostgresDatabase(pool, test.schema))));
    const { rows } = await test.pool.query(`SELECT count(*)::integer FROM "${test.schema}".migrations`);
    expect(rows).toEqual([{ count: MIGRATIONS.length }]);
    await Promise.all(pools.map((pool) => pool.end()));
    await test.close();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolRateLimitsContract } from '@nestor-ai/testing/contract';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresToolRateLimits } from './postgres-tool-rate-limits.js';

describe('rate limits in PostgreSQL', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  const open = () => new PostgresToolRateLimits(test.database);
  for (const { name, run } of toolRateLimitsContract({ open })) it(name, run);

  it('store no keys, and do not grow with the calls of a key', async () => {
    const limiter = open().limiterOf('grow', { calls: 1, interval: 60_000 });
    const rowsOf = async () => (await test.pool.query(`SELECT * FROM ${test.database.table('tool_rates')}`)).rows;
    const before = (await rowsOf()).length;
    for (let call = 0; call < 3; call++) await limiter.consume('secret');
    const rows = await rowsOf();
    expect(rows).toHaveLength(before + 1);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });
});

describe('rate limits in a PostgreSQL without their table', () => {
  it('fail, and say what to do', async () => {
    const test = await openTestDatabase({ migrate: false });
    const limiter = new PostgresToolRateLimits(test.database).limiterOf('pay', { calls: 1, interval: 60_000 });
    await expect(limiter.consume('')).rejects.toThrow(
      /^Nestor could not count a call of a tool: .*ai\.postgres\.migrate/,
    );
    await test.close();
  });
});

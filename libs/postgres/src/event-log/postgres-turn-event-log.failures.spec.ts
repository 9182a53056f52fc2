import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { applyMigrations } from '../migrations/migrate.js';
import { channelOf, PostgresTurnEventLog } from './postgres-turn-event-log.js';

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('PostgresTurnEventLog', () => {
  const opened: { test: TestDatabase; logs: PostgresTurnEventLog[] }[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

  afterEach(async () => {
    for (const { test, logs } of opened.splice(0)) {
      for (const log of logs) await log.onApplicationShutdown();
      await test.close();
    }
  });

  async function open() {
    const test = await openTestDatabase();
    const logs: PostgresTurnEventLog[] = [];
    opened.push({ test, logs });
    const openLog = (database = test.database, retention?: number): PostgresTurnEventLog => {
      const log = new PostgresTurnEventLog(database, retention === undefined ? {} : { retention });
      logs.push(log);
      return log;
    };
    return { test, openLog };
  }

  it('gives hints and stops again after its connection was lost', async () => {
    const { test, openLog } = await open();
    if (!test.isServer) return;
    const log = openLog();
    let [hints, stops] = [0, 0];
    const subscriptions = [log.changes('t').subscribe(() => hints++), log.stops('t').subscribe(() => stops++)];
    const listening = `SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN "' || $1 || '"'`;
    const channel = channelOf(test.database.table('turn_events'));
    await until(async () => (await test.pool.query(listening, [channel])).rows.length === 1);
    await test.pool.query(`SELECT pg_terminate_backend(pid) FROM (${listening}) AS sessions`, [channel]);
    await openLog().requestStop('t');
    await until(() => stops > 0);
    await until(async () => (await test.pool.query(listening, [channel])).rows.length === 1);
    hints = 0;
    await openLog().append('t', 0, ['{}']);
    await until(() => hints > 0);
    for (const subscription of subscriptions) subscription.unsubscribe();
  });

  it('deletes expired turns while it writes others', async () => {
    const { test, openLog } = await open();
    const log = openLog(test.database, 1500);
    await log.append('old', 0, ['{}', '{}']);
    await log.requestStop('stopped');
    const expired = `SELECT 1 FROM ${test.database.table('turn_event_logs')} WHERE expires_at <= now()`;
    await until(async () => (await test.pool.query(expired)).rows.length === 2);
    const rowsOf = async (table: string): Promise<unknown[]> => [
      ...(await test.database.query('look', `SELECT turn_id FROM ${test.database.table(table)} ORDER BY 1`)),
    ];
    expect(await rowsOf('turn_event_logs')).toHaveLength(2);
    await openLog().append('new', 0, ['{}']);
    await until(async () => (await rowsOf('turn_event_logs')).length === 1);
    expect(await rowsOf('turn_events')).toEqual([{ turn_id: 'new' }]);
  });

  it('keeps applications with another prefix apart', async () => {
    const { test, openLog } = await open();
    const database = new PostgresDatabase(test.pool, { schema: test.schema, prefix: 'other_' });
    await applyMigrations(database);
    const [log, other] = [openLog(), openLog(database)];
    await log.append('t', 0, ['1']);
    await other.append('t', 0, ['2']);
    expect([await log.read('t', 0), await other.read('t', 0)]).toEqual([
      [{ number: 1, data: '1' }],
      [{ number: 1, data: '2' }],
    ]);
  });

  it.each(["'; DROP TABLE turn_events; --", '"%$1\\', 'null \0 and half \ud800', '😀'])(
    'takes any id: %j',
    async (id) => {
      const { openLog } = await open();
      const log = openLog();
      let stops = 0;
      const subscription = log.stops(id).subscribe(() => stops++);
      await log.append(id, 0, ['{}']);
      await log.requestStop(id);
      expect(await log.read(id, 0)).toEqual([{ number: 1, data: '{}' }]);
      await until(() => stops > 0);
      subscription.unsubscribe();
    },
  );

  it('refuses an id that is too long for an index', async () => {
    const { openLog } = await open();
    await expect(openLog().append('x'.repeat(1001), 0, ['{}'])).rejects.toThrow(RangeError);
  });
});

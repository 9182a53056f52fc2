import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { openTestDatabase, TEST_POSTGRES, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { until } from '../../../../test/until.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { applyMigrations } from '../migrations/migrate.js';
import { channelOf, PostgresTurnEventLog } from './postgres-turn-event-log.js';

describe('PostgresTurnEventLog', () => {
  let test: TestDatabase;
  const logs: PostgresTurnEventLog[] = [];
  const openLog = (database = test.database): PostgresTurnEventLog => {
    const log = new PostgresTurnEventLog(database);
    logs.push(log);
    return log;
  };

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    test = await openTestDatabase();
  });
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.onApplicationShutdown();
  });
  afterAll(() => test.close());

  it('gives hints and stops again after its connection was lost', async () => {
    if (!test.isServer) return;
    const log = openLog();
    let [hints, stops] = [0, 0];
    const subscriptions = [log.changes('lost').subscribe(() => hints++), log.stops('lost').subscribe(() => stops++)];
    const listening = `SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN "' || $1 || '"'`;
    const channel = channelOf(test.database.table('turn_events'));
    await until(async () => (await test.pool.query(listening, [channel])).rows.length === 1);
    await test.pool.query(`SELECT pg_terminate_backend(pid) FROM (${listening}) AS sessions`, [channel]);
    await openLog().requestStop('lost');
    await until(() => stops > 0);
    await until(async () => (await test.pool.query(listening, [channel])).rows.length === 1);
    hints = 0;
    await openLog().append('lost', 0, ['{}']);
    await until(() => hints > 0);
    for (const subscription of subscriptions) subscription.unsubscribe();
  });

  it('heeds no user of the database without rights, and tells that user no ids', async () => {
    if (!test.isServer) return;
    const role = `${test.schema}_guest`;
    await test.pool.query(`CREATE ROLE "${role}" LOGIN`);
    const guest = new Client({ connectionString: TEST_POSTGRES, user: role });
    await guest.connect();
    const channel = channelOf(test.database.table('turn_events'));
    const heard: (string | undefined)[] = [];
    guest.on('notification', ({ payload }) => heard.push(payload));
    await guest.query(`LISTEN "${channel}"`);
    const log = openLog();
    let [hints, stops] = [0, 0];
    const subscriptions = [log.changes('turn').subscribe(() => hints++), log.stops('turn').subscribe(() => stops++)];
    let after = 0;
    await until(async () => {
      after += Number(await log.append('turn', after, ['{}']));
      await log.requestStop('another');
      return heard.length > 0 && hints > 0;
    });
    const own = heard.find((payload) => payload!.startsWith('change '))!;
    for (const payload of ['error', 'newListener', 'stop turn', 'change turn', '', own, own.replace('change', 'stop')])
      await guest.query('SELECT pg_notify($1, $2)', [channel, payload]);
    // What comes later has been preceded by all of them.
    hints = 0;
    await log.append('turn', after, ['{}']);
    await until(() => hints > 0);
    expect(stops).toBe(0);
    await log.requestStop('turn');
    await until(() => stops > 0);
    expect(heard.filter((payload) => /turn|another/.test(payload!))).toEqual(['stop turn', 'change turn']);
    for (const subscription of subscriptions) subscription.unsubscribe();
    await guest.end();
    await test.pool.query(`DROP ROLE "${role}"`);
  });

  it('deletes expired turns while it writes others', async () => {
    const [turns, events] = [test.database.table('turn_event_logs'), test.database.table('turn_events')];
    const expire = () => test.pool.query(`UPDATE ${turns} SET expires_at = now() - interval '1 second'`);
    const left = async (table: string): Promise<unknown[]> => {
      const sql = `SELECT turn_id FROM ${table} WHERE turn_id IN ('first', 'old', 'stopped', 'new') ORDER BY 1`;
      return [...(await test.database.query('look', sql))];
    };
    const log = openLog();
    await log.requestStop('first');
    await expire();
    await log.append('old', 0, ['{}', '{}']);
    // From now on, this log deletes nothing for a minute.
    await until(async () => (await left(turns)).length === 1);
    await log.requestStop('stopped');
    await expire();
    expect(await left(turns)).toHaveLength(2);
    await openLog().append('new', 0, ['{}']);
    await until(async () => (await left(turns)).length === 1);
    expect(await left(events)).toEqual([{ turn_id: 'new' }]);
  });

  it('deletes all expired turns, however many there are', async () => {
    const [turns, events] = [test.database.table('turn_event_logs'), test.database.table('turn_events')];
    await test.pool.query(`INSERT INTO ${turns} (turn_id, last_number, appended_after, expires_at)
      SELECT 'old ' || n, 1, 0, now() - interval '1 second' FROM generate_series(1, 1200) n`);
    await test.pool.query(`INSERT INTO ${events} (turn_id, first_number, last_number, events)
      SELECT 'old ' || n, 1, 1, '["{}"]' FROM generate_series(1, 1200) n`);
    await openLog().append('fresh', 0, ['{}']);
    const left = async (table: string) =>
      (await test.pool.query(`SELECT turn_id FROM ${table} WHERE turn_id LIKE 'old %'`)).rows.length;
    await until(async () => (await left(turns)) === 0);
    expect(await left(events)).toBe(0);
  });

  it('keeps applications with another schema apart', async () => {
    const database = new PostgresDatabase(test.pool, `${test.schema}_other`);
    await applyMigrations(database);
    const [log, other] = [openLog(), openLog(database)];
    await log.append('t', 0, ['1']);
    await other.append('t', 0, ['2']);
    expect([await log.read('t', 0), await other.read('t', 0)]).toEqual([
      [{ number: 1, data: '1' }],
      [{ number: 1, data: '2' }],
    ]);
    await test.pool.query(`DROP SCHEMA ${database.names.schema} CASCADE`);
  });

  it.each(["'; DROP TABLE turn_events; --", '"%$1\\', 'null \0 and half \ud800', '😀'])(
    'takes any id: %j',
    async (id) => {
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
    await expect(openLog().append('x'.repeat(1001), 0, ['{}'])).rejects.toThrow(RangeError);
  });
});

import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeOnOwnServer, OwnServer } from '../../../../test/postgres/own-server.js';
import { until } from '../../../../test/until.js';

describeOnOwnServer('connections that fail without a word', () => {
  let own: OwnServer;

  beforeAll(async () => {
    for (const level of ['warn', 'debug'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    own = await OwnServer.start();
    await own.admin.query('CREATE TABLE notes (id int PRIMARY KEY)');
  });
  afterEach(() => own.closeReplicas());
  afterAll(() => own.stop());

  it('are replaced, all of them, after one statement without an answer', async () => {
    const { proxy, pool, database } = await own.openReplica();
    await Promise.all([1, 2, 3, 4].map(() => database.query('ask', 'SELECT pg_sleep(0.1)')));
    expect(pool.idleCount).toBe(4);
    proxy.silence();
    await expect(database.query('ask', 'SELECT 1')).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      isConnectionFailure: true,
      message: expect.stringMatching('^Nestor could not ask: the server does not answer in time.'),
    });
    expect(await database.query('ask', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBeLessThanOrEqual(2);
  });

  it('do not take those along who wait for a connection', async () => {
    const { proxy, database } = await own.openReplica(2);
    await Promise.all([1, 2].map(() => database.query('ask', 'SELECT pg_sleep(0.1)')));
    proxy.silence();
    const asked = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => database.query('ask', 'SELECT 1')));
    expect(asked.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  it('leave no statement on the server that waits for a lock', async () => {
    const { database } = await own.openReplica();
    const locking = await own.admin.connect();
    await locking.query('BEGIN');
    await locking.query('LOCK TABLE notes');
    const reading = [1, 2, 3].map(() => database.query('read', 'SELECT FROM notes'));
    for (const { status } of await Promise.allSettled(reading)) expect(status).toBe('rejected');
    await until(async () => (await own.count('SELECT FROM notes')) === 0);
    await locking.query('ROLLBACK');
    locking.release();
  });

  it('keep their transactions open only as long as their process lives', async () => {
    const [alive, vanished] = [await own.openReplica(), await own.openReplica()];
    const insert = (id: number, end: Promise<void>) => async (queries: { query: typeof alive.database.query }) => {
      await queries.query('write', 'INSERT INTO notes VALUES ($1)', [id]);
      await end;
    };
    const open = vanished.database.transaction('write', insert(1, new Promise(() => undefined)));
    open.catch(() => undefined);
    let commit!: () => void;
    const long = alive.database.transaction('write', insert(2, new Promise((resolve) => (commit = resolve))));
    await until(async () => (await own.count('INSERT INTO notes%')) === 2);
    vanished.proxy.silence();
    // It waits until the server has rolled the transaction of the other one back.
    await own.admin.query('INSERT INTO notes VALUES (1)');
    commit();
    await long;
    expect((await own.admin.query('SELECT id FROM notes ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('do not make a statement of a tool hang', async () => {
    const { proxy, database } = await own.openReplica();
    const running = database.transaction('run a tool', async (_queries, client) => {
      await client.query('SELECT 1');
      proxy.silence();
      await client.query('SELECT 2');
    });
    await expect(running).rejects.toThrow(/Connection terminated/);
  });

  it('let a statement of a tool take longer than a heartbeat', async () => {
    const { database } = await own.openReplica();
    const rows = await database.transaction('run a tool', async (_queries, client) => {
      await Promise.allSettled([client.query('SELECT pg_sleep(0.9)'), new Promise((done) => setTimeout(done, 300))]);
      return (await client.query('SELECT 3 AS three')).rows;
    });
    expect(rows).toEqual([{ three: 3 }]);
  });

  it('do not keep the process that stands still from reading its answers', async () => {
    const { database } = await own.openReplica();
    await database.query('ask', 'SELECT 1');
    const asked = database.query('ask', 'SELECT 2 AS two');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = database.query('ask', 'SELECT 3 AS three');
    await new Promise(process.nextTick);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
    expect([await asked, await again]).toEqual([[{ two: 2 }], [{ three: 3 }]]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client, Pool } from 'pg';
import { postgresPrograms, type Server, startPostgres } from '../../../../test/cluster/chaos/servers.js';
import { TcpProxy } from '../../../../test/tcp-proxy.js';
import { PostgresDatabase } from './postgres-database.js';

const programs = postgresPrograms();

(programs ? describe : describe.skip)('a pool whose connections end', () => {
  let server: Server;
  let proxy: TcpProxy;
  const pools: Pool[] = [];

  beforeAll(async () => {
    server = await startPostgres(programs!);
    proxy = await TcpProxy.open(Number(new URL(server.url).port));
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end();
  });
  afterAll(async () => {
    await proxy.close();
    await server.stop();
  });

  const openPool = (max: number): Pool => {
    const url = new URL(server.url);
    url.port = String(proxy.port);
    pools.push(new Pool({ connectionString: url.href, max }));
    return pools.at(-1)!;
  };

  it('loses a connection with the bytes that freed it, before its borrower has it', async () => {
    const pool = openPool(1);
    const database = new PostgresDatabase(pool, 'nestor');
    const [{ pid }] = (await database.query('ask', 'SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    proxy.hold();
    // pg-pool lends the connection on while it reads the answer.
    const first = pool.query('SELECT 1 AS one');
    const borrowed = database.transaction('ask again', (queries) => queries.query('ask again', 'SELECT 2 AS two'));
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    const answered = "SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'idle' AND query LIKE 'SELECT 1%'";
    while ((await admin.query(answered, [pid])).rowCount === 0);
    await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await admin.end();
    const lost = expect(borrowed).rejects.toThrow('Nestor could not ask again: ');
    await proxy.releaseAtEnd();
    expect((await first).rows).toEqual([{ one: 1 }]);
    await lost;
    expect(await database.query('ask', 'SELECT 3 AS three')).toEqual([{ three: 3 }]);
  });

  it('survives restarts while it is busy and while it is idle', async () => {
    const database = new PostgresDatabase(openPool(4), 'nestor');
    // Another database of the same pool.
    expect(new PostgresDatabase(pools[0]!, 'other')).toBeDefined();
    const state = { isOver: false };
    const work = async (): Promise<void> => {
      while (!state.isOver) await database.transaction('ask', (one) => one.query('ask', 'SELECT 1')).catch(pause);
    };
    const working = [work(), work(), work(), work(), work(), work()];
    for (let restart = 0; restart < 3; restart++) {
      await pause();
      await server.restart('fast');
    }
    state.isOver = true;
    await Promise.all(working);
    expect(await database.query('ask', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.restart('fast');
    await pause();
    expect(pools[0]!.idleCount).toBe(0);
  });
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

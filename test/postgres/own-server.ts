import { describe } from '@jest/globals';
import { PostgresDatabase } from '@nestor-ai/postgres';
import { Pool } from 'pg';
import { postgresPrograms, startPostgres } from '../cluster/chaos/servers.js';
import { TcpProxy } from '../tcp-proxy.js';

const programs = postgresPrograms();

/** `describe` for tests with a server of their own, which are skipped where PostgreSQL is not installed. */
export const describeOnOwnServer: typeof describe | typeof describe.skip = programs ? describe : describe.skip;

/** Times with which tests take seconds. In milliseconds. */
const TIMES = {
  connection: 5000,
  statement: 1000,
  transactionStatement: 2000,
  heartbeat: 300,
  silence: 3000,
  wait: 1500,
};

/** A process of an application: its pool reaches the server through a proxy of its own. */
export interface TestReplica {
  readonly proxy: TcpProxy;
  readonly pool: Pool;
  readonly database: PostgresDatabase;
}

/** A server of the test's own, and applications whose networks fail. */
export class OwnServer {
  readonly admin: Pool;
  readonly #replicas: TestReplica[] = [];

  private constructor(readonly server: Awaited<ReturnType<typeof startPostgres>>) {
    this.admin = new Pool({ connectionString: server.url, max: 2, application_name: 'admin' });
    this.admin.on('error', () => undefined);
  }

  static async start(): Promise<OwnServer> {
    return new OwnServer(await startPostgres(programs!));
  }

  async openReplica(max = 10): Promise<TestReplica> {
    const url = new URL(this.server.url);
    const proxy = await TcpProxy.open(Number(url.port));
    url.port = String(proxy.port);
    const pool = new Pool({ connectionString: url.href, max, application_name: 'replica' });
    const replica = { proxy, pool, database: new PostgresDatabase(pool, 'public', TIMES) };
    this.#replicas.push(replica);
    return replica;
  }

  /** The number of sessions of replicas whose last statement is like a pattern. */
  async count(pattern = '%'): Promise<number> {
    const sql = "SELECT FROM pg_stat_activity WHERE application_name = 'replica' AND query LIKE $1";
    return (await this.admin.query(sql, [pattern])).rowCount!;
  }

  async closeReplicas(): Promise<void> {
    for (const { pool, proxy } of this.#replicas.splice(0)) {
      await pool.end();
      await proxy.close();
    }
  }

  async stop(): Promise<void> {
    await this.closeReplicas();
    await this.admin.end();
    await this.server.stop();
  }
}

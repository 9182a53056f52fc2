import { randomBytes } from 'node:crypto';
import { describe, jest } from '@jest/globals';
import { type PostgresConnection, PostgresDatabase, type PostgresPool } from '@nestor-ai/postgres';
import { Pool } from 'pg';
import { applyMigrations } from '../../libs/postgres/src/migrations/migrate.js';
import { sharedPglite } from '../runner/shared-pglite.js';

// PGlite needs many seconds to start on a busy machine.
jest.setTimeout(60_000);

/** The server that `npm run test:system` uses if it can be reached. */
export const TEST_POSTGRES = process.env['NESTOR_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** Whether tests may talk to servers: `npm test` never does. */
const usesServers = process.env['NESTOR_TEST_TIER'] === 'system';

/** A database in a schema of its own. */
export interface TestDatabase {
  readonly pool: PostgresPool;
  readonly schema: string;
  readonly database: PostgresDatabase;
  /** Whether it is a server with several sessions, and not PGlite. */
  readonly isServer: boolean;
  /** Removes the schema and closes the connections. */
  close(): Promise<void>;
}

/** The options of {@link openTestDatabase}. */
export interface TestDatabaseOptions {
  /** Whether the tables are made. Default: true. */
  readonly migrate?: boolean;
  /** The most connections. Default: 10. */
  readonly max?: number;
  /** Uses PGlite with pgvector, which a server may not have. Default: false. */
  readonly hasPgvector?: boolean;
}

/** What a contract runs on: PGlite; in `npm run test:system` first on the server, if it can be reached. */
export const DATABASES: readonly (readonly [name: string, options: TestDatabaseOptions])[] = [
  ...(usesServers ? [['the server', {}] as const] : []),
  ['PGlite', { hasPgvector: true }],
];

/** Opens a schema of its own in PGlite; in `npm run test:system` on the server, if it can be reached. */
export async function openTestDatabase({
  migrate = true,
  max = 10,
  hasPgvector = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const { pool, isServer, end } = (hasPgvector ? undefined : await openServer(max)) ?? (await openPglite());
  const database = new PostgresDatabase(pool, schema);
  if (migrate) await applyMigrations(database);
  return {
    pool,
    schema,
    database,
    isServer,
    close: async () => {
      await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await end();
    },
  };
}

/**
 * Whether a server can be reached. If not, says how to start it.
 *
 * @param what the tests, as the subject of a sentence: `Locks of conversations`
 */
export async function hasServer(what: string): Promise<boolean> {
  const server = await openServer(1);
  await server?.end();
  if (!server)
    process.stderr.write(`${what} are not tested on a server: start PostgreSQL with docker compose up -d.\n`);
  return server !== undefined;
}

/** `describe` for tests that need a server, which are skipped without one. */
export async function describeOnServer(what: string): Promise<typeof describe | typeof describe.skip> {
  return (await hasServer(what)) ? describe : describe.skip;
}

interface OpenPool {
  readonly pool: PostgresPool;
  readonly isServer: boolean;
  end(): Promise<void>;
}

async function openServer(max: number): Promise<OpenPool | undefined> {
  if (!usesServers) return undefined;
  const pool = new Pool({ connectionString: TEST_POSTGRES, max, connectionTimeoutMillis: 5000 });
  // Tests end connections on purpose.
  pool.on('error', () => undefined);
  try {
    await pool.query('SELECT 1');
    return { pool, isServer: true, end: () => pool.end() };
  } catch (error) {
    await pool.end();
    if (process.env['NESTOR_TEST_POSTGRES'] !== undefined) throw error;
    return undefined;
  }
}

/**
 * PGlite, which the test files of a process share. It has one session: each statement waits until the
 * one before has ended, and each transaction until the one before has ended. A connection that only
 * keeps advisory locks makes no other wait.
 */
async function openPglite(): Promise<OpenPool> {
  const lite = await sharedPglite();
  const query: PostgresPool['query'] = async (text, values) => {
    const release = await lite.take();
    return lite.database.query(text, values).finally(release);
  };
  const connect = async (): Promise<PostgresConnection> => {
    let endTransaction: (() => void) | undefined;
    const release = (): void => {
      endTransaction?.();
      endTransaction = undefined;
    };
    return {
      query: async (text, values) => {
        if (text.startsWith('BEGIN')) endTransaction = await lite.take();
        if (!endTransaction) return query(text, values);
        const result = await lite.database.query(text, values);
        if (/^(?:COMMIT|ROLLBACK)$/.test(text)) release();
        return result;
      },
      release,
    };
  };
  return { pool: { connect, query }, isServer: false, end: () => Promise.resolve() };
}

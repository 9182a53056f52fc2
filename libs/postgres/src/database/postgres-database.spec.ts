import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import {
  describeOnServer,
  openTestDatabase,
  type TestDatabase,
  TEST_POSTGRES,
} from '../../../../test/postgres/test-database.js';
import { PostgresDatabase } from './postgres-database.js';
import { PostgresException } from './postgres.exception.js';

const SCHEMA = 'nestor';
const SECRET = 'secret-4711';

const failureOf = async (work: Promise<unknown>): Promise<PostgresException> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as PostgresException,
  );
  expect(error).toBeInstanceOf(Error);
  expect(JSON.stringify([error!.message, error!.stack, error!.cause])).not.toContain(SECRET);
  return error!;
};

describe('names of tables', () => {
  it('are quoted, so that no schema is read as SQL', () => {
    const database = new PostgresDatabase(new Pool(), 'a"; DROP');
    expect(database.table('messages')).toBe('"a""; DROP"."messages"');
  });

  it.each(['', 'a\0b', 'x'.repeat(64)])('are refused when PostgreSQL would cut or refuse them: %j', (schema) => {
    expect(() => new PostgresDatabase(new Pool(), schema)).toThrow(
      'The option schema of PostgresAiModule must be a name',
    );
  });
});

describe('a failed connection', () => {
  const connected = (config: object) =>
    new PostgresDatabase(new Pool({ connectionTimeoutMillis: 2000, ...config }), SCHEMA);

  it('names the remedy when nothing listens', async () => {
    const database = connected({ connectionString: `postgres://user:${SECRET}@127.0.0.1:1/test` });
    const error = await failureOf(database.query('store a conversation', 'SELECT $1::text', [SECRET]));
    expect(error.message).toBe(
      'Nestor could not store a conversation: the server does not accept connections. Start PostgreSQL, or correct ai.postgres.connection.',
    );
    expect(error).toMatchObject({ code: 'ECONNREFUSED', isConnectionFailure: true });
  });

  it('names the remedy when the host is unknown', async () => {
    const error = await failureOf(connected({ host: 'no-such-host.invalid', user: 'u' }).query('read', 'SELECT 1'));
    expect(error.message).toMatch(/host name of the server/);
  });

  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', 'Node.js refuses the certificate of the server (SELF_SIGNED_CERT_IN_CHAIN).'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'or set NODE_EXTRA_CA_CERTS to its authority.'],
    ['CERT_HAS_EXPIRED', 'Renew it'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'connect to a host that it names'],
    ['EHOSTUNREACH', 'the connection was lost.'],
    ['53100', 'the disk of the server is full.'],
    ['53200', 'the server is out of memory.'],
  ])('names the remedy for %s, and the statement may succeed later', (code, remedy) => {
    const failure = PostgresException.of('store a conversation', Object.assign(new Error('failed'), { code }));
    expect(failure.message).toContain(remedy);
    expect(failure.message).not.toContain('SQLSTATE');
    expect(failure.isConnectionFailure).toBe(true);
  });
});

const describeServer = await describeOnServer('Connections and transactions');

describeServer('a server of PostgreSQL', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase({ migrate: false, max: 2 });
    await test.pool.query(`CREATE SCHEMA "${test.schema}"`);
    await test.pool.query(`CREATE TABLE ${test.database.table('notes')} (id int PRIMARY KEY, text text)`);
  });

  afterAll(() => test.close());

  const count = async () =>
    (await test.database.query('count', `SELECT id FROM ${test.database.table('notes')}`)).length;

  it('rolls back after an error, and the connection can be used again', async () => {
    const sql = `INSERT INTO ${test.database.table('notes')} VALUES ($1, $2)`;
    for (let at = 0; at < 5; at++) {
      const error = await failureOf(
        test.database.transaction('store notes', async (queries) => {
          await queries.query('store notes', sql, [1, SECRET]);
          await queries.query('store notes', sql, [1, SECRET]);
        }),
      );
      expect(error.message).toBe(
        'Nestor could not store notes: PostgreSQL has refused the statement with SQLSTATE 23505. The log of the server says why.',
      );
    }
    expect(await count()).toBe(0);
  });

  it('loses nothing and keeps nothing when the connection is killed inside a transaction', async () => {
    const error = await failureOf(
      test.database.transaction('store notes', async (queries) => {
        await queries.query('store notes', `INSERT INTO ${test.database.table('notes')} VALUES (2, $1)`, [SECRET]);
        const [own] = await queries.query<{ pid: number }>('find itself', 'SELECT pg_backend_pid() AS pid');
        await test.pool.query('SELECT pg_terminate_backend($1)', [own!.pid]);
        await queries.query('store notes', 'SELECT 1');
      }),
    );
    expect(error.message).toMatch(
      /^Nestor could not store notes: the (connection was lost|server has ended the connection)/,
    );
    expect(error.isConnectionFailure).toBe(true);
    expect(await count()).toBe(0);
  });

  it('names the pool when no connection is free in time', async () => {
    const pool = new Pool({ connectionString: TEST_POSTGRES, max: 1 });
    const held = await pool.connect();
    pool.options.connectionTimeoutMillis = 100;
    const error = await failureOf(new PostgresDatabase(pool, SCHEMA).query('read a conversation', 'SELECT 1'));
    expect(error.message).toBe(
      'Nestor could not read a conversation: no connection of the pool was free in time, or the server did not answer. Raise the pool size ' +
        '(max), or find what holds connections.',
    );
    held.release();
    await pool.end();
    const closed = await failureOf(new PostgresDatabase(pool, SCHEMA).query('read a conversation', 'SELECT 1'));
    expect(closed.message).toMatch(/the connection pool is closed/);
  });

  it('names a missing table and a missing permission', async () => {
    const missing = await failureOf(test.database.query('read', `SELECT 1 FROM ${test.database.table('unknown')}`));
    expect(missing.message).toMatch(/a table is missing. Set ai.postgres.migrate=apply once/);
    const role = `${test.schema}_role`;
    await test.pool.query(`CREATE ROLE "${role}"`);
    const refused = await failureOf(
      test.database.transaction('read', async (queries) => {
        await queries.query('become another user', `SET LOCAL ROLE "${role}"`);
        await queries.query('read', `SELECT 1 FROM ${test.database.table('notes')}`);
      }),
    );
    await test.pool.query(`DROP ROLE "${role}"`);
    expect(refused.message).toMatch(/the database user lacks a permission/);
  });
});

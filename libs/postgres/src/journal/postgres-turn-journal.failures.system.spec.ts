import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { TurnAppend } from '@nestor-ai/turns';
import { randomUUID } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import {
  describeOnServer,
  openTestDatabase,
  type TestDatabase,
  TEST_POSTGRES,
} from '../../../../test/postgres/test-database.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { PostgresTurnJournal } from './postgres-turn-journal.js';

// PGlite has one session, which nothing can end.
const describeFailures = await describeOnServer('Broken connections and races of the journal');

describeFailures('PostgresTurnJournal when connections break and writers race', () => {
  const applicationName = `journal-${randomUUID()}`;
  const pool = new Pool({ connectionString: TEST_POSTGRES, max: 5, application_name: applicationName });
  let test: TestDatabase;

  beforeAll(async () => {
    pool.on('error', () => undefined);
    test = await openTestDatabase({ max: 2 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  afterAll(async () => {
    await pool.end();
    await test.close();
  });

  const open = (on: PostgresPool = pool) => new PostgresTurnJournal(new PostgresDatabase(on, test.schema));

  const appendOf = (turnId: string, after: number, owner: string, rest: Partial<TurnAppend> = {}): TurnAppend => ({
    turnId,
    after,
    owner,
    entries: [{ kind: 'call-withdrawn', callId: `${owner} ${after}` }],
    facts: { status: 'running', pendingCallIds: [] },
    ...rest,
  });

  it('stores each append once when connections are terminated all the time', async () => {
    const journals = [open(), open(), open()];
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const done = new AbortController();
    const killed = { connections: 0 };
    const terminate = async (): Promise<void> => {
      // Usually about ten. A server that connects slowly would never answer, and a statement is only repeated for some
      // seconds, like those of a failover.
      const end = performance.now() + 4000;
      const isEnough = () => killed.connections >= 40 || (killed.connections > 3 && performance.now() > end);
      while (!done.signal.aborted && !isEnough()) {
        const { rows } = await test.pool.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
          [applicationName],
        );
        killed.connections += rows.length;
        await new Promise((resolve) => {
          setTimeout(resolve, 150 * Math.random());
        });
      }
    };
    const appendAll = async (id: string, index: number): Promise<readonly boolean[]> => {
      const stored: boolean[] = [];
      for (let after = 0; after < 20 || killed.connections <= 3; after++)
        stored.push(await journals[index % 3]!.append(appendOf(id, after, `owner ${index}`, { lease: 60_000 })));
      return stored;
    };
    const killing = terminate();
    const answers = await Promise.all(ids.map(appendAll));
    done.abort();
    await killing;
    for (const [index, id] of ids.entries()) {
      const { length } = answers[index]!;
      expect(answers[index]).toEqual(Array.from({ length }, () => true));
      const turn = await journals[0]!.read(id);
      expect(turn?.entries).toEqual(
        Array.from({ length }, (_, after) => ({ kind: 'call-withdrawn', callId: `owner ${index} ${after}` })),
      );
    }
  });

  it('lets fifty writers write one turn, one after the other', async () => {
    const id = randomUUID();
    const journals = [open(), open(), open()];
    const wins = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const mine: string[] = [];
        let after = 0;
        while (after < 15) {
          const append = appendOf(id, after, `owner ${index}`);
          if (await journals[index % 3]!.append(append)) mine.push(`owner ${index} ${after}`);
          after = (await journals[index % 3]!.read(id))!.entries.length;
        }
        return mine;
      }),
    );
    const { entries } = (await open().read(id))!;
    const callIds = entries.map((entry) => (entry.kind === 'call-withdrawn' ? entry.callId : ''));
    expect(new Set(callIds)).toEqual(new Set(wins.flat()));
    expect(callIds.map((callId) => Number(callId.split(' ')[2]))).toEqual(callIds.map((_, index) => index));
  });

  /** A pool that says for the first statements that the connection broke, before or after they ran. */
  const losing = (when: 'before' | 'after', times: number): PostgresPool => ({
    query: async (text, values) => pool.query(text, values),
    connect: async () => {
      const client = await pool.connect();
      return {
        release: (error) => {
          client.release(error);
        },
        query: async (text, values) => {
          if (times-- <= 0) return client.query(text, values);
          if (when === 'after') await client.query(text, values);
          throw new Error('Connection terminated unexpectedly');
        },
      };
    },
  });

  it('stores the appends of a statement without the one whose turn another session has locked', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const own = new Pool({ connectionString: TEST_POSTGRES, max: 3, statement_timeout: 1000 });
    const journal = open(own);
    await Promise.all(ids.map(async (id) => journal.append(appendOf(id, 0, 'ann'))));
    const locking = await pool.connect();
    await locking.query('BEGIN');
    await locking.query(`SELECT FROM ${test.database.table('turns')} WHERE id = $1 FOR UPDATE`, [ids[1]]);
    const answers = await Promise.allSettled(ids.map(async (id) => journal.append(appendOf(id, 1, 'ann'))));
    await locking.query('ROLLBACK');
    locking.release();
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(String((answers[1] as PromiseRejectedResult).reason)).toBe(
      'PostgresException: Nestor could not record what happened in turns: the statement took longer than its timeout. ' +
        'Check the load of the server and statement_timeout.',
    );
    expect(await journal.append(appendOf(ids[1]!, 1, 'ann'))).toBe(true);
    await own.end();
  });

  it('says what to do when the server is read-only, without contents', async () => {
    const own = new Pool({ connectionString: TEST_POSTGRES, max: 1, options: '-c default_transaction_read_only=on' });
    const database = new PostgresDatabase(own, test.schema);
    const writing = database.query('record turns', `DELETE FROM ${database.table('turns')} WHERE id = $1`, ['secret']);
    await expect(writing).rejects.toThrow(
      /^Nestor could not record turns: the server is read-only. Connect to the primary server, not to a replica.$/,
    );
    await own.end();
  });

  it('says what to do when the tables are missing, without contents', async () => {
    const journal = new PostgresTurnJournal(new PostgresDatabase(pool, `${test.schema}_none`));
    await expect(journal.append(appendOf('secret', 0, 'ann'))).rejects.toThrow(
      /^Nestor could not record what happened in turns: a table is missing. Set ai.postgres.migrate=apply once, or run the output of printMigrations\(\).$/,
    );
  });

  it.each([
    ['no connection of the pool is free', new Error('timeout exceeded when trying to connect')],
    ['the server has no connection left', Object.assign(new Error('too many'), { code: '53300' })],
    ['the server is read-only during a failover', Object.assign(new Error('read-only'), { code: '25006' })],
  ])('repeats an append while %s', async (_what, error) => {
    const id = randomUUID();
    let failures = 2;
    const busy: PostgresPool = {
      connect: async () => (failures-- > 0 ? Promise.reject(error) : pool.connect()),
      query: async (text, values) => (failures-- > 0 ? Promise.reject(error) : pool.query(text, values)),
    };
    expect(await open(busy).append(appendOf(id, 0, 'ann'))).toBe(true);
    expect((await open().read(id))?.entries).toHaveLength(1);
  });

  it('says at once that the pool is closed', async () => {
    const own = new Pool({ connectionString: TEST_POSTGRES, max: 1 });
    await own.end();
    await expect(open(own).append(appendOf('a', 0, 'ann'))).rejects.toThrow(/the connection pool is closed/);
  });

  it.each([
    ['was stored', 'after'],
    ['was not stored', 'before'],
  ] as const)('knows whether an append %s whose connection broke', async (_what, when) => {
    const id = randomUUID();
    for (const [after, status] of (['running', 'ended'] as const).entries())
      expect(
        await open(losing(when, 2)).append(appendOf(id, after, 'ann', { facts: { status, pendingCallIds: [] } })),
      ).toBe(true);
    expect((await open().read(id))?.entries).toHaveLength(2);
  });

  it('does not take the entries of another owner for those whose connection broke', async () => {
    const id = randomUUID();
    const entries = [{ kind: 'ended' as const }];
    await open().append(appendOf(id, 0, 'bob', { entries }));
    expect(await open(losing('before', 1)).append(appendOf(id, 0, 'ann', { entries }))).toBe(false);
  });

  it('stores the appends of a statement without the one that the database refuses', async () => {
    const journal = open();
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const answers = await Promise.allSettled(
      ids.map(async (id, index) => journal.append(appendOf(id, 0, 'ann', { lease: index === 2 ? Number.NaN : 1000 }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await journal.read(ids[2]!)).toBeUndefined();
  });

  it.each(['turnId', 'requester', 'conversationId', 'pendingCallIds'])(
    'refuses a %s that no index takes',
    async (key) => {
      const long = 'secret '.repeat(200);
      const facts = { status: 'running', pendingCallIds: key === 'pendingCallIds' ? [long] : [], [key]: long } as never;
      const append = {
        ...appendOf(key === 'turnId' ? long : 'a', 0, 'ann'),
        ...(key !== 'turnId' && {
          facts: key === 'pendingCallIds' ? { status: 'running' as const, pendingCallIds: [long] } : facts,
        }),
      };
      const error = await open()
        .append(append)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toMatch(
        /^RangeError: A (turn id|requester|conversation id|tool call id) has 1400 bytes, but PostgreSQL can index at most 1000/,
      );
      expect(String(error)).not.toContain('secret');
    },
  );

  it('does not look at the clock of the process', async () => {
    const id = randomUUID();
    jest.useFakeTimers({
      now: new Date('2001-01-01'),
      doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
    });
    await open().append(appendOf(id, 0, 'ann', { lease: 60_000 }));
    jest.setSystemTime(new Date('2099-01-01'));
    expect(await open().claim(id, 1, 'bob', 1000)).toBe(false);
    const turn = await open().read(id);
    expect(turn?.claim?.remaining).toBeGreaterThan(0);
    expect(turn?.claim?.remaining).toBeLessThanOrEqual(60_000);
    expect(turn?.unchangedFor).toBeGreaterThanOrEqual(0);
    expect(turn?.unchangedFor).toBeLessThan(60_000);
    expect(Math.abs(Date.parse(turn!.updatedAt) - Date.parse('2099-01-01'))).toBeGreaterThan(1e9);
  });

  it('returns the result of a transaction whose commit lost its connection', async () => {
    const losingCommit = (isCommitted: boolean): PostgresPool => {
      let times = 1;
      return {
        query: async (text, values) => pool.query(text, values),
        connect: async () => {
          const client = await pool.connect();
          return {
            release: (error) => {
              client.release(error);
            },
            query: async (text, values) => {
              if (text !== 'COMMIT' || times-- <= 0) return client.query(text, values);
              await client.query(isCommitted ? 'COMMIT' : 'ROLLBACK');
              throw new Error('Connection terminated unexpectedly');
            },
          };
        },
      };
    };
    const id = randomUUID();
    await expect(open(losingCommit(false)).transaction(id, 'a', async () => Promise.resolve(1))).rejects.toThrow(
      /Nestor could not run the transaction of a tool: the connection was lost/,
    );
    expect(await open(losingCommit(true)).transaction(id, 'a', async () => Promise.resolve(2))).toBe(2);
    expect(await open().transaction(id, 'a', async () => Promise.resolve(3))).toBe(2);
  });

  it('survives a connection that breaks while the code of a transaction runs', async () => {
    const id = randomUUID();
    const broken = open().transaction(id, 'key', async (client) => {
      const { rows } = await (client as PoolClient).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const isClosed = new Promise((resolve) => (client as PoolClient).once('end', resolve));
      await test.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      await isClosed;
      return 1;
    });
    await expect(broken).rejects.toThrow(/^Nestor could not run the transaction of a tool: /);
    expect(await open().transaction(id, 'key', async () => Promise.resolve(2))).toBe(2);
  });

  it('rolls the statements of a transaction back with its result', async () => {
    const id = randomUUID();
    const turnIds = async (): Promise<readonly unknown[]> =>
      (
        await test.pool.query(`SELECT turn_id FROM ${test.database.table('turn_effects')} WHERE turn_id LIKE $1`, [
          `${id}%`,
        ])
      ).rows;
    const work = (error?: Error) => async (client: unknown) => {
      const insert = `INSERT INTO ${test.database.table('turn_effects')} (turn_id, key) VALUES ($1, 'own')`;
      await (client as PoolClient).query(insert, [`${id} own`]);
      if (error) throw error;
      return 1;
    };
    await expect(open().transaction(id, 'key', work(new Error('The code failed.')))).rejects.toThrow(
      'The code failed.',
    );
    expect(await turnIds()).toEqual([]);
    await open().transaction(id, 'key', work());
    expect(await turnIds()).toHaveLength(2);
  });

  it('deletes ended turns with all they have, the oldest first', async () => {
    const journal = open();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const ended = { facts: { status: 'ended', pendingCallIds: [] } } as const;
    for (const id of ids) await journal.append(appendOf(id, 0, 'ann', id === ids[2] ? {} : ended));
    await journal.transaction(ids[0]!, 'key', async () => Promise.resolve(1));
    expect(await journal.deleteEndedTurns({ olderThan: 60_000 })).toBe(0);
    while ((await journal.read(ids[0]!)) !== undefined)
      expect(await journal.deleteEndedTurns({ olderThan: 0, limit: 1 })).toBe(1);
    expect(await journal.read(ids[1]!)).toBeDefined();
    await journal.deleteEndedTurns({ olderThan: 0 });
    expect([await journal.read(ids[1]!), (await journal.read(ids[2]!))?.id]).toEqual([undefined, ids[2]]);
    const { rows } = await test.pool.query(
      `SELECT turn_id FROM ${test.database.table('turn_entries')} WHERE turn_id = ANY($1) UNION SELECT turn_id FROM ${test.database.table('turn_effects')} WHERE turn_id = ANY($1)`,
      [ids.slice(0, 2)],
    );
    expect(rows).toEqual([]);
  });
});

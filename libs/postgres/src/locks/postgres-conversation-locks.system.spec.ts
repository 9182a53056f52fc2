import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PostgresDatabase } from '@nestor-ai/postgres';
import { conversationLocksContract } from '@nestor-ai/testing/contract';
import { describeOnServer, openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { lockKey } from './lock-key.js';
import { PostgresConversationLocks } from './postgres-conversation-locks.js';

const ignore = (): void => undefined;
const wait = (onLost: (error: Error) => void = ignore) => ({ signal: new AbortController().signal, onLost });

const describeLocks = await describeOnServer('Locks of conversations');

describeLocks('locks of conversations in PostgreSQL', () => {
  let first: TestDatabase;
  let second: TestDatabase;
  const opened: PostgresConversationLocks[] = [];

  beforeAll(async () => {
    first = await openTestDatabase({ migrate: false });
    second = await openTestDatabase({ migrate: false });
    // Another process with the same tables.
    Object.defineProperty(second.database, 'names', { value: first.database.names });
  });

  afterEach(async () => {
    for (const locks of opened.splice(0)) await locks.onApplicationShutdown();
  });

  afterAll(async () => {
    await first.close();
    await second.close();
  });

  /** The locks of one more process. */
  const open = () => {
    opened.push(new PostgresConversationLocks((opened.length % 2 ? second : first).database));
    return opened.at(-1)!;
  };

  for (const { name, run } of conversationLocksContract({ open })) it(name, run);

  it('leave connections of a small pool to the running turns', async () => {
    const small = await openTestDatabase({ migrate: false, max: 5 });
    Object.defineProperty(small.database, 'names', { value: first.database.names });
    const ids = ['1', '2', '3', '4', '5'];
    const [locks, others] = [new PostgresConversationLocks(small.database), open()];
    opened.push(locks);
    const holds = await Promise.all(ids.map((id) => others.acquire(id, wait())));
    const waiting = ids.map((id) => locks.acquire(id, wait()));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await small.database.query('write', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    for (const hold of holds) await hold.release();
    for (const hold of await Promise.all(waiting)) await hold.release();
    await locks.onApplicationShutdown();
    await small.close();
  });

  it('tell the turn that its connection was lost, and another process gets the conversation', async () => {
    const [locks, others] = [open(), open()];
    let onLost!: (error: Error) => void;
    const lost = new Promise<Error>((resolve) => (onLost = resolve));
    await locks.acquire('lost', wait(onLost));
    const key = lockKey(first.database.table('conversations'), 'lost');
    const terminateHolderWhenWaitedFor = async (): Promise<boolean> => {
      const { rows } = await second.pool.query(
        `SELECT pg_terminate_backend(held.pid) FROM pg_locks held JOIN pg_locks waiting USING (classid, objid, objsubid)
         WHERE held.locktype = 'advisory' AND held.granted AND NOT waiting.granted
           AND (held.classid::bigint << 32 | held.objid::bigint) = $1`,
        [key.toString()],
      );
      return rows.length > 0;
    };
    const waiting = others.acquire('lost', wait());
    while (!(await terminateHolderWhenWaitedFor())) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await lost).message).toContain('was lost');
    await (await waiting).release();
    // A new connection takes the place of the lost one.
    await (await locks.acquire('lost', wait())).release();
  });

  it('say that a conversation stays locked if statements go to sessions in turn, as with PgBouncer in transaction mode', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const sessions = await Promise.all([first.pool.connect(), first.pool.connect()]);
    let statements = 0;
    const query = (text: string, values?: unknown[]) => sessions[statements++ % 2]!.query(text, values);
    const pool = { query, connect: () => Promise.resolve({ query, release: ignore }) };
    const locks = new PostgresConversationLocks(new PostgresDatabase(pool, first.schema));
    const hold = await locks.acquire('pooled', wait());
    await hold.release();
    expect(error).toHaveBeenCalledWith(expect.stringContaining('pool_mode=session'));
    error.mockRestore();
    for (const session of sessions) session.release(true);
  });
});

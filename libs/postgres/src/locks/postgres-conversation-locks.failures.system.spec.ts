import { setMaxListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { isStoreFailure } from '@nestor-ai/core';
import { describeOnOwnServer, OwnServer, type TestReplica } from '../../../../test/postgres/own-server.js';
import { until } from '../../../../test/until.js';
import { PostgresConversationLocks } from './postgres-conversation-locks.js';

const WAITING = '%pg_advisory_lock%';

describeOnOwnServer('locks of conversations whose processes and networks fail', () => {
  let own: OwnServer;
  const opened: PostgresConversationLocks[] = [];

  beforeAll(async () => {
    for (const level of ['warn', 'debug'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    own = await OwnServer.start();
  });
  afterEach(async () => {
    for (const locks of opened.splice(0)) await locks.onApplicationShutdown();
    await own.closeReplicas();
  });
  afterAll(() => own.stop());

  const open = async (): Promise<TestReplica & { locks: PostgresConversationLocks }> => {
    const replica = await own.openReplica();
    opened.push(new PostgresConversationLocks(replica.database));
    return { ...replica, locks: opened.at(-1)! };
  };

  const waitWith = (signal = new AbortController().signal, onLost: (error: Error) => void = () => undefined) => ({
    signal,
    onLost,
  });

  it('leave no session on the server when turns give up their waits', async () => {
    const [holder, other] = [await open(), await open()];
    const ids = Array.from({ length: 60 }, (_, index) => `conversation ${index}`);
    for (const id of ids) await holder.locks.acquire(id, waitWith());
    for (let round = 0; round < 3; round++) {
      const abort = new AbortController();
      setMaxListeners(0, abort.signal);
      const waits = ids.map((id) => other.locks.acquire(id, waitWith(abort.signal)));
      const outcomes = Promise.allSettled(waits);
      await until(async () => (await own.count(WAITING)) > 0);
      abort.abort(new Error('given up'));
      for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { message: 'given up' } });
      expect(await own.count(WAITING)).toBeLessThanOrEqual(4);
    }
    await until(async () => (await own.count(WAITING)) === 0);
    expect(await own.count()).toBeLessThanOrEqual(8);
  });

  it('open no session for a turn that must not wait', async () => {
    const [holder, other] = [await open(), await open()];
    await holder.locks.acquire('held', waitWith());
    await (await other.locks.acquire('free', waitWith())).release();
    for (let turn = 0; turn < 5; turn++)
      await expect(other.locks.acquire('held', waitWith(AbortSignal.timeout(90)))).rejects.toThrow(/timeout/);
    expect([other.pool.totalCount, await own.count(WAITING)]).toEqual([1, 0]);
  });

  it('wait longer than one statement may take', async () => {
    const [holder, other] = [await open(), await open()];
    const hold = await holder.locks.acquire('held', waitWith());
    const waiting = other.locks.acquire('held', waitWith());
    // The second session means that the first one has waited long enough.
    const pids = new Set<unknown>();
    const sql = 'SELECT pid FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()';
    await until(async () => {
      for (const { pid } of (await own.admin.query<{ pid: number }>(sql, [WAITING])).rows) pids.add(pid);
      return pids.size > 1;
    });
    await hold.release();
    await (await waiting).release();
  });

  it('pass from a machine that has vanished to another one, and its turns are told', async () => {
    const [vanished, other] = [await open(), await open()];
    const lost: Error[] = [];
    await vanished.locks.acquire(
      'held',
      waitWith(undefined, (error) => lost.push(error)),
    );
    vanished.proxy.silence();
    await (await other.locks.acquire('held', waitWith())).release();
    await until(async () => lost.length > 0);
    expect(lost[0]!.message).toContain('was lost');
    // It is no attempt of a queued turn.
    expect(isStoreFailure(lost[0])).toBe(true);
  });

  it('go on over another connection after one was dropped silently', async () => {
    const { locks, proxy } = await open();
    await (await locks.acquire('first', waitWith())).release();
    proxy.silence();
    await (await locks.acquire('second', waitWith())).release();
  });

  it('are kept by a process that lives, however long nothing happens', async () => {
    const [holder, other] = [await open(), await open()];
    let isLost = false;
    const hold = await holder.locks.acquire(
      'held',
      waitWith(undefined, () => (isLost = true)),
    );
    const early = other.locks.acquire('held', waitWith(AbortSignal.timeout(4500)));
    await expect(early).rejects.toThrow(/timeout/);
    expect(isLost).toBe(false);
    await hold.release();
    await (await other.locks.acquire('held', waitWith())).release();
  });

  it('are not held after the server has ended the session with the same bytes that gave them', async () => {
    const { locks, proxy } = await open();
    await (await locks.acquire('first', waitWith())).release();
    proxy.hold();
    const acquiring = locks.acquire('second', waitWith());
    const sql = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted";
    await until(async () => (await own.admin.query(sql)).rowCount === 1);
    await own.admin.query(`SELECT pg_terminate_backend(pid) FROM (${sql}) AS holders`);
    await proxy.releaseAtEnd();
    const hold = await acquiring;
    expect((await own.admin.query(sql)).rowCount).toBe(1);
    await hold.release();
  });
});

import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeOnOwnServer, OwnServer, type TestReplica, until } from '../../../../test/postgres/own-server.js';
import { PostgresConversationLocks } from './postgres-conversation-locks.js';

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

  it('pass from a machine that has vanished to another one, and its turns are told', async () => {
    const [vanished, other] = [await open(), await open()];
    const lost = new Promise<Error>((resolve) => {
      void vanished.locks.acquire('held', waitWith(undefined, resolve));
    });
    await until(async () => (await own.count('SELECT pg_try_advisory_lock%')) === 1);
    vanished.proxy.silence();
    await (await other.locks.acquire('held', waitWith())).release();
    expect((await lost).message).toContain('was lost');
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

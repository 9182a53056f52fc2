import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isStoreFailure } from '@nestor-ai/core';
import { conversationLocksContract } from '@nestor-ai/testing/contract';
import { Redis } from 'ioredis';
import { deleteKeys, hasRedis, newPrefix, openSharedRedis, TEST_REDIS } from '../../../../test/cluster/redis.js';
import type { SharedRedis } from '../redis/shared-redis.js';
import { RedisConversationLocks } from './redis-conversation-locks.js';

const REDIS = await hasRedis('Locks of conversations in Redis');

/** Locks whose leases end soon. */
class QuickLocks extends RedisConversationLocks {
  protected override readonly lease: number = 600;
}

/** Locks whose leases last longer than a slow machine needs for a test. */
class SlowLocks extends QuickLocks {
  protected override readonly lease = 3000;
}

const forever = new AbortController().signal;
const ignore = (): void => undefined;

(REDIS ? describe : describe.skip)('locks of conversations in Redis', () => {
  const prefix = newPrefix();
  const connections: SharedRedis[] = [];
  const connect = (): SharedRedis => {
    connections.push(openSharedRedis(prefix));
    return connections.at(-1)!;
  };
  const redis = REDIS ? new Redis(TEST_REDIS) : undefined;

  afterAll(async () => {
    for (const connection of connections) await connection.onApplicationShutdown();
    redis?.disconnect();
    await deleteKeys(prefix);
  });

  describe('keep the contract', () => {
    const shared = [connect(), connect()];
    let opened = 0;
    const open = () => new RedisConversationLocks(shared[opened++ % 2]!);
    for (const { name, run } of conversationLocksContract({ open })) it(name, run);

    it('and leave nothing behind', async () => {
      expect(await redis!.keys(`${prefix}:*`)).toEqual([]);
    });
  });

  it('are kept for longer than a lease', async () => {
    // A machine that stands still for longer than a lease loses the lock, and is not what is tested.
    for (let isLost = true; isLost;) {
      isLost = false;
      const hold = await new QuickLocks(connect()).acquire('long', { signal: forever, onLost: () => (isLost = true) });
      const abort = AbortSignal.timeout(1500);
      const waiting = new QuickLocks(connect()).acquire('long', { signal: abort, onLost: ignore });
      const [outcome] = await Promise.allSettled([waiting]);
      if (outcome.status === 'fulfilled') await outcome.value.release();
      await hold.release();
      if (!isLost) expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } });
    }
  });

  it('go to the next turn after a crash of the process that holds the conversation', async () => {
    const crashed = connect();
    const locks = new QuickLocks(crashed);
    await locks.acquire('crash', { signal: forever, onLost: ignore });
    const waiting = new QuickLocks(connect()).acquire('crash', { signal: forever, onLost: ignore });
    locks.onApplicationShutdown();
    await crashed.onApplicationShutdown();
    await (await waiting).release();
  });

  it('do not go to a process that crashed while it waited', async () => {
    const locks = new SlowLocks(connect());
    const hold = await locks.acquire('gone', { signal: forever, onLost: ignore });
    const crashed = connect();
    const waits = new SlowLocks(crashed).acquire('gone', { signal: forever, onLost: ignore });
    await untilWaiting('gone', 1);
    const next = new SlowLocks(connect()).acquire('gone', { signal: forever, onLost: ignore });
    await untilWaiting('gone', 2);
    await crashed.onApplicationShutdown();
    await expect(waits).rejects.toThrow('the connection is closed');
    await hold.release();
    await (await next).release();
  });

  /** Waits until processes wait for a conversation. */
  async function untilWaiting(id: string, count: number): Promise<void> {
    const line = connections[0]!.key('conversation-line', id);
    while ((await redis!.zcard(line)) !== count) await sleep(10);
  }

  /** Holds a conversation. `lost` resolves when the lock reports its loss to the turn. */
  async function hold(id: string, connection: SharedRedis) {
    let onLost = (_error: Error): void => undefined;
    const lost = new Promise<Error>((resolve) => (onLost = resolve));
    await new QuickLocks(connection).acquire(id, { signal: forever, onLost });
    return { lost };
  }

  it('tell the turn when Redis has lost its lock', async () => {
    const { lost } = await hold('lost', connect());
    await deleteKeys(prefix);
    expect((await lost).message).toContain('its lock of the conversation in Redis was lost');
    // It is no attempt of a queued turn.
    expect(isStoreFailure(await lost)).toBe(true);
    await (await new QuickLocks(connect()).acquire('lost', { signal: forever, onLost: ignore })).release();
  });

  it('tell the turn when Redis is away, before another process can have the conversation', async () => {
    const connection = connect();
    const { lost } = await hold('away', connection);
    const order: string[] = [];
    const next = new QuickLocks(connect()).acquire('away', { signal: forever, onLost: ignore });
    const both = [lost.then(() => order.push('lost')), next.then(() => order.push('next'))];
    await connection.onApplicationShutdown();
    await Promise.all(both);
    expect(order).toEqual(['lost', 'next']);
    await (await next).release();
  });

  it('do not renew a conversation that was released', async () => {
    let isLost = false;
    const locks = new QuickLocks(connect());
    const hold = await locks.acquire('released', { signal: forever, onLost: () => (isLost = true) });
    await hold.release();
    await sleep(800);
    expect(isLost).toBe(false);
  });
});

describe('locks of conversations in a Redis that is away', () => {
  it('fail, and say what to do', async () => {
    const connection = openSharedRedis('x', 'redis://127.0.0.1:1');
    const locks = new RedisConversationLocks(connection);
    const acquiring = locks.acquire('c', { signal: forever, onLost: ignore });
    await expect(acquiring).rejects.toThrow(
      'Nestor could not lock a conversation: the server does not accept connections. Start Redis, or correct ai.bullmq.connection.',
    );
    await connection.onApplicationShutdown();
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { toolRateLimitsContract } from '@nestor-ai/testing/contract';
import { Redis } from 'ioredis';
import { deleteKeys, hasRedis, newPrefix, openSharedRedis, TEST_REDIS } from '../../../../test/cluster/redis.js';
import { RedisToolRateLimits } from './redis-tool-rate-limits.js';

const REDIS = await hasRedis('Rate limits in Redis');

(REDIS ? describe : describe.skip)('rate limits in Redis', () => {
  const prefix = newPrefix();
  const connections = [openSharedRedis(prefix), openSharedRedis(prefix)];
  let opened = 0;
  const open = () => new RedisToolRateLimits(connections[opened++ % 2]!);

  afterAll(async () => {
    for (const connection of connections) await connection.onApplicationShutdown();
    await deleteKeys(prefix);
  });

  for (const { name, run } of toolRateLimitsContract({ open })) it(name, run);

  it('leave nothing after their interval, and show no key', async () => {
    const limiter = open().limiterOf('pay', { calls: 1, interval: 60_000 });
    for (let call = 0; call < 3; call++) await limiter.consume('secret');
    const redis = new Redis(TEST_REDIS);
    const keys = await redis.keys(`${prefix}:*`);
    const times = await Promise.all(keys.map((key) => redis.pttl(key)));
    redis.disconnect();
    expect(keys.join()).not.toContain('secret');
    expect(times.every((time) => time > 0)).toBe(true);
  });
});

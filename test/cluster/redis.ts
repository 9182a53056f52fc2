import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { BullConnection } from '../../libs/bullmq/src/nest/bull-ai.options.js';
import { BullSettings } from '../../libs/bullmq/src/nest/bull-settings.js';
import { SharedRedis } from '../../libs/bullmq/src/redis/shared-redis.js';

/** The server that tests use if it can be reached. */
export const TEST_REDIS = process.env['NESTOR_TEST_REDIS'] ?? 'redis://127.0.0.1:6379';

/** A prefix of keys of its own. */
export const newPrefix = (): string => `test-${randomBytes(6).toString('hex')}`;

/** Whether Redis can be reached. If not, says once how to start it. */
export async function hasRedis(what: string): Promise<boolean> {
  const redis = new Redis(TEST_REDIS, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return true;
  } catch {
    process.stderr.write(`${what} are not tested: start Redis with docker compose up -d.\n`);
    return false;
  } finally {
    redis.disconnect();
  }
}

/** Deletes all keys with a prefix, as a Redis does that loses its data. */
export async function deleteKeys(prefix: string): Promise<void> {
  const redis = new Redis(TEST_REDIS);
  const keys = await redis.keys(`${prefix}:*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
}

/** All hashes and streams with a prefix, as JSON. */
export async function contentsOf(prefix: string): Promise<string> {
  const redis = new Redis(TEST_REDIS);
  const contents = [];
  for (const key of await redis.keys(`${prefix}:*`)) {
    const type = await redis.type(key);
    if (type === 'hash') contents.push(await redis.hgetall(key));
    if (type === 'stream') contents.push(await redis.xrange(key, '-', '+'));
  }
  redis.disconnect();
  return JSON.stringify(contents);
}

/** A connection of the module for keys with a prefix. Close it. */
export function openSharedRedis(prefix: string, connection: BullConnection = TEST_REDIS): SharedRedis {
  return new SharedRedis(BullSettings.read({ connection, prefix }, undefined));
}

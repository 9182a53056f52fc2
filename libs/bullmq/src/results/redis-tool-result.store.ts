import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ToolResultClaim, ToolResultStore } from '@nestor-ai/core';
import { type LuaScript, SharedRedis } from '../redis/shared-redis.js';

const RELEASE: LuaScript = {
  name: 'nestorReleaseClaim',
  keys: 1,
  lua: `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`,
};

/** Completes "Nestor could not …" in an error. */
const CLAIMING = 'claim a result of a tool';

/**
 * Keeps the results of tools with a `cacheTtl` in Redis, so that all replicas share them, and only
 * one of them computes a missing result. Redis deletes a result after its time.
 *
 * While Redis is away, each replica computes its own results.
 *
 * @publicApi
 */
@Injectable()
export class RedisToolResultStore extends ToolResultStore {
  constructor(private readonly redis: SharedRedis) {
    super();
  }

  override async get(key: string): Promise<string | undefined> {
    const json = await this.redis.call('read a result of a tool', 'GET', this.redis.key('tool-result', key));
    return typeof json === 'string' ? json : undefined;
  }

  override async set(key: string, json: string, ttl: number): Promise<void> {
    const id = this.redis.key('tool-result', key);
    await this.redis.call('store a result of a tool', 'SET', id, json, 'PX', Math.ceil(ttl));
  }

  override async claim(key: string, lease: number): Promise<ToolResultClaim | undefined> {
    const id = this.redis.key('tool-claim', key);
    const token = randomUUID();
    const isClaimed = await this.redis.call(CLAIMING, 'SET', id, token, 'NX', 'PX', Math.ceil(lease));
    if (isClaimed === null) return undefined;
    return { release: async () => void (await this.redis.run(CLAIMING, RELEASE, [id], [token])) };
  }
}

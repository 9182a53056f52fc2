import { Injectable } from '@nestjs/common';
import { type ToolRateLimiter, ToolRateLimits } from '@nestor-ai/core';
import { type LuaScript, SharedRedis } from '../redis/shared-redis.js';

/** Returns the time until the next call in milliseconds, or -1 if the call may run. */
const COUNT: LuaScript = {
  name: 'nestorCount',
  keys: 1,
  lua: `
local calls = redis.call('INCR', KEYS[1])
local wait = redis.call('PTTL', KEYS[1])
if wait < 0 then
  wait = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], wait)
end
if calls > tonumber(ARGV[1]) then return wait end
return -1`,
};

/**
 * Counts the calls of tools in Redis, so that a `rateLimit` holds for all replicas together. A count
 * is one command, and Redis deletes it after its interval.
 *
 * While Redis is away, tools with a rate limit do not run.
 *
 * @publicApi
 */
@Injectable()
export class RedisToolRateLimits extends ToolRateLimits {
  constructor(private readonly redis: SharedRedis) {
    super();
  }

  override limiterOf(
    toolName: string,
    { calls, interval }: Parameters<ToolRateLimits['limiterOf']>[1],
  ): ToolRateLimiter {
    const { redis } = this;
    return {
      consume: async (key) => {
        const id = redis.key('tool-rate', JSON.stringify([toolName, calls, interval, key]));
        const wait = Number(await redis.run('count a call of a tool', COUNT, [id], [calls, Math.ceil(interval)]));
        return wait < 0 ? undefined : Math.max(wait, 1);
      },
    };
  }
}

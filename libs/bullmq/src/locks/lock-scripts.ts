import type { LuaScript } from '../redis/shared-redis.js';

/*
 * A conversation has three keys with one hash tag:
 *
 * 1. the token of the turn that holds it, until its lease ends
 * 2. the tokens of the turns that wait, in the order in which they asked
 * 3. the same tokens, with the time until which each of them may be silent
 *
 * Times are those of Redis, so that the clocks of processes do not matter.
 */

/**
 * Asks for the conversation. A turn that waits asks again and again, and keeps its place in the line
 * as long as it does.
 *
 * Values: the token, the lease and the longest silence in milliseconds. Returns 1 if the turn holds
 * the conversation now.
 */
export const ASK: LuaScript = {
  name: 'nestorAskForConversation',
  keys: 3,
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, silent in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do
  redis.call('ZREM', KEYS[2], silent)
  redis.call('ZREM', KEYS[3], silent)
end
if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  redis.call('ZADD', KEYS[2], last and tonumber(last) + 1 or 1, ARGV[1])
end
local isFirst = redis.call('ZRANGE', KEYS[2], 0, 0)[1] == ARGV[1]
if isFirst and redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[3], ARGV[1])
  return 1
end
redis.call('ZADD', KEYS[3], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return 0`,
};

/** Leaves the line, or gives the conversation back. Value: the token. */
export const LEAVE: LuaScript = {
  name: 'nestorLeaveConversation',
  keys: 3,
  lua: `
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`,
};

/** Renews the lease. Values: the token and the lease in milliseconds. Returns 0 if the lock is lost. */
export const RENEW: LuaScript = {
  name: 'nestorRenewConversation',
  keys: 1,
  lua: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`,
};

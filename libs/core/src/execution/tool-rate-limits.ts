import type { ToolRateLimit } from '../model/tool-policies.js';

/** Counts the calls of one tool. */
export interface ToolRateLimiter {
  /**
   * Counts a call with a key. Calls with different keys are counted separately. The interval of a
   * key begins with its first call.
   *
   * @param key any text, also an empty one or a very long one
   * @returns undefined if the call may run; otherwise the time until the next call may run, in
   *   milliseconds
   * @throws Error if the call cannot be counted. It does not run then.
   */
  consume(key: string): Promise<number | undefined>;
}

/**
 * Counts the calls of tools with a `rateLimit` for all processes together. Provide one in
 * `AiModule`, such as `RedisToolRateLimits` or `PostgresToolRateLimits`. Without one, each process
 * counts its own calls. It is also the injection token.
 *
 * A call that cannot be counted does not run: the model reads that the limit cannot be checked
 * now. A limiter must answer or fail in bounded time.
 */
export abstract class ToolRateLimits {
  /**
   * Returns the limiter of a tool. All limiters of the same tool name and the same limit share
   * their counts, in all processes. Called once per tool and process. Must not fail if the store
   * cannot be reached.
   *
   * @param limit how many calls may start in one interval, which is in milliseconds
   */
  abstract limiterOf(toolName: string, limit: Pick<ToolRateLimit, 'calls' | 'interval'>): ToolRateLimiter;
}

/** The right of one process to compute a missing result. */
export interface ToolResultClaim {
  /** Lets another process compute the result. Does nothing if the claim has ended. */
  release(): Promise<void>;
}

/**
 * Keeps the results of tools with a `cacheTtl` for all processes. Provide one in `AiModule`, such as
 * `RedisToolResultStore`. Without one, each process has its own cache. It is also the injection
 * token.
 *
 * A store that fails does not fail a call: the tool runs, and the log has one warning. A store must
 * answer or fail in bounded time.
 */
export abstract class ToolResultStore {
  /**
   * Returns a stored result. Undefined if there is none, or its time has passed.
   *
   * @param key 1 to 100 letters, digits and `-`, without any content of the call
   */
  abstract get(key: string): Promise<string | undefined>;

  /**
   * Stores a result, in place of an earlier one.
   *
   * @param json the result as JSON
   * @param ttl how long to keep it, in milliseconds
   */
  abstract set(key: string, json: string, ttl: number): Promise<void>;

  /**
   * Claims a missing result, so that only one process computes it.
   *
   * @param lease when the claim ends if it is not released, in milliseconds
   * @returns undefined if another process has the claim
   */
  abstract claim(key: string, lease: number): Promise<ToolResultClaim | undefined>;
}

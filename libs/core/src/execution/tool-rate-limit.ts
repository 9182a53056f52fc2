import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ToolRateLimit } from '../model/tool-policies.js';
import { rateLimiterFlexible } from '../tool/lazy-modules.cjs';

/** Counts the calls of one tool. */
export class ToolRateLimiter {
  readonly #limiter: RateLimiterMemory;

  constructor(private readonly limit: ToolRateLimit) {
    const { RateLimiterMemory: Limiter } = rateLimiterFlexible();
    this.#limiter = new Limiter({ points: limit.calls, duration: limit.interval / 1000 });
  }

  /** @throws ToolRateLimitException with the time until the next allowed call */
  async consume(toolName: string, key: string): Promise<void> {
    try {
      await this.#limiter.consume(key);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      throw new ToolRateLimitException(toolName, this.limit, (refusal as RateLimiterRes).msBeforeNext);
    }
  }
}

/** A tool was called more often than its rate limit allows. */
export class ToolRateLimitException extends Error {
  override readonly name = 'ToolRateLimitException';

  /** @param retryAfter the time until the next allowed call, in milliseconds */
  constructor(
    toolName: string,
    { calls, interval }: Pick<ToolRateLimit, 'calls' | 'interval'>,
    readonly retryAfter: number,
  ) {
    super(
      `The tool '${toolName}' takes ${calls} ${calls === 1 ? 'call' : 'calls'} in ${inWords(interval)}. Try again in ` +
        `${inWords(retryAfter)}, or go on without it.`,
    );
  }
}

function inWords(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${Math.ceil(milliseconds / 1000)} s`;
}

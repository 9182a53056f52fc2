import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ToolRateLimit } from '../model/tool-policies.js';
import { rateLimiterFlexible } from './lazy-modules.cjs';
import { undecided } from './policy-failure.js';
import type { ToolRateLimiter, ToolRateLimits } from './tool-rate-limits.js';

/** The rate limit of one tool. */
export interface EnforcedRateLimit {
  /**
   * @param toolName the name that the model has called
   * @throws ToolRateLimitException with the time until the next allowed call
   */
  consume(toolName: string, key: string): Promise<void>;
}

/** Counts the calls of one tool in this process. */
export class LocalRateLimit implements EnforcedRateLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(private readonly limit: ToolRateLimit) {
    const { RateLimiterMemory: Limiter } = rateLimiterFlexible();
    this.#limiter = new Limiter({ points: limit.calls, duration: limit.interval / 1000 });
  }

  async consume(toolName: string, key: string): Promise<void> {
    try {
      await this.#limiter.consume(key);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      throw new ToolRateLimitException(toolName, this.limit, (refusal as RateLimiterRes).msBeforeNext);
    }
  }
}

/** Counts the calls of one tool for all processes together. */
export class SharedRateLimit implements EnforcedRateLimit {
  readonly #limiter: ToolRateLimiter;

  /** @param toolName the name of the tool in all processes */
  constructor(
    limits: ToolRateLimits,
    toolName: string,
    private readonly limit: ToolRateLimit,
  ) {
    this.#limiter = limits.limiterOf(toolName, { calls: limit.calls, interval: limit.interval });
  }

  /** Fails closed: @throws ToolUnavailableException if the call cannot be counted */
  async consume(toolName: string, key: string): Promise<void> {
    let retryAfter: number | undefined;
    try {
      retryAfter = await this.#limiter.consume(key);
    } catch (error) {
      const told =
        'The rate limit of this tool cannot be checked now, so the call was not run. Try again later, or go on without it.';
      throw undecided(toolName, 'ToolRateLimits', error, told);
    }
    if (retryAfter !== undefined) throw new ToolRateLimitException(toolName, this.limit, retryAfter);
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

import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { ToolRateLimit } from '../model/tool-policies.js';
import { rateLimiterFlexible } from './lazy-modules.cjs';
import { undecided } from './policy-failure.js';
import type { ToolRateLimiter } from './tool-rate-limits.js';

type Limit = Pick<ToolRateLimit, 'calls' | 'interval'>;

/** Counts the calls of one tool in this process. */
export function localLimiter({ calls, interval }: Limit): ToolRateLimiter {
  const { RateLimiterMemory: Limiter } = rateLimiterFlexible();
  const limiter = new Limiter({ points: calls, duration: interval / 1000 });
  return {
    consume: async (key) => {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        return (refusal as RateLimiterRes).msBeforeNext;
      }
    },
  };
}

/**
 * Counts a call. Fails closed.
 *
 * @param toolName the name that the model has called
 * @throws ToolRateLimitException with the time until the next allowed call;
 *   ToolUnavailableException if the call cannot be counted
 */
export async function countCall(limiter: ToolRateLimiter, toolName: string, limit: Limit, key: string): Promise<void> {
  let retryAfter: number | undefined;
  try {
    retryAfter = await limiter.consume(key);
  } catch (error) {
    const told =
      'The rate limit of this tool cannot be checked now, so the call was not run. Try again later, or go on without it.';
    throw undecided(toolName, 'ToolRateLimits', error, told);
  }
  if (retryAfter !== undefined) throw new ToolRateLimitException(toolName, limit, retryAfter);
}

/** A tool was called more often than its rate limit allows. */
export class ToolRateLimitException extends Error {
  override readonly name = 'ToolRateLimitException';

  /** @param retryAfter the time until the next allowed call, in milliseconds */
  constructor(
    toolName: string,
    { calls, interval }: Limit,
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

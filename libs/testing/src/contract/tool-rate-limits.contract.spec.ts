import { describe, expect, it } from '@jest/globals';
import { localLimiter } from '../../../core/src/execution/tool-rate-limit.js';
import { type ToolRateLimiter, ToolRateLimits } from '@nestor-ai/core';
import { toolRateLimitsContract } from './index.js';

type Limit = Parameters<ToolRateLimits['limiterOf']>[1];

/** The limits of one process as limits that are shared. */
class InMemory extends ToolRateLimits {
  readonly #limits = new Map<string, ToolRateLimiter>();

  override limiterOf(toolName: string, limit: Limit): ToolRateLimiter {
    const id = this.idOf(toolName, limit);
    const local = this.#limits.get(id) ?? localLimiter(limit);
    this.#limits.set(id, local);
    return { consume: (key) => local.consume(this.keyOf(key)) };
  }

  protected idOf(toolName: string, { calls, interval }: Limit): string {
    return JSON.stringify([toolName, calls, interval]);
  }

  protected keyOf(key: string): string {
    return key;
  }
}

describe('the contract of ToolRateLimits', () => {
  describe('is kept in memory', () => {
    const limits = new InMemory();
    for (const { name, run } of toolRateLimitsContract({ open: () => limits })) it(name, run);
  });

  class Unlimited extends ToolRateLimits {
    limiterOf(): ToolRateLimiter {
      return { consume: () => Promise.resolve(undefined) };
    }
  }

  class Careless extends InMemory {
    protected override keyOf = (key: string): string => key.trim();
    protected override idOf = (toolName: string): string => toolName;
  }

  class WithoutEnd extends InMemory {
    override limiterOf(toolName: string, { calls }: Limit): ToolRateLimiter {
      return super.limiterOf(toolName, { calls, interval: 3_600_000 });
    }
  }

  class Growing extends InMemory {
    override limiterOf(toolName: string, limit: Limit): ToolRateLimiter {
      const limiter = super.limiterOf(toolName, limit);
      let refused = 0;
      return { consume: async (key) => ((await limiter.consume(key)) === undefined ? undefined : ++refused * 1000) };
    }
  }

  it.each([
    ['calls up to the limit may run, and the next one learns when to try again', () => new Unlimited()],
    ['processes count together, also at the same time', () => new InMemory()],
    ['every key, tool and limit has its own count', keep(new Careless())],
    ['calls may run again after the interval, even one below a second', keep(new WithoutEnd())],
    ['refused calls do not make the wait longer', keep(new Growing())],
  ])('rejects limits for which it is not true that %s', async (title, open) => {
    const broken = toolRateLimitsContract({ open }).find(({ name }) => name === title)!;
    await expect(broken.run()).rejects.toThrow('The contract wants');
  });
});

function keep<T>(limits: T): () => T {
  return () => limits;
}

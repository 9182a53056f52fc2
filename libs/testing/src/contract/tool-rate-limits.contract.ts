import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolRateLimits } from '@nestor-ai/core';
import type { ContractCase } from './chat-model-contract.js';
import { assertEqual, newId, type StoreCases, testsOf } from './store-checks.js';

/** Connects the contract with the rate limits under test. */
export interface ToolRateLimitsHarness {
  /**
   * Opens the rate limits as one more process would: all that it returns share one store. Those in
   * memory may return the same instance. The store may have other counts.
   */
  open(): ToolRateLimits | Promise<ToolRateLimits>;
}

const HOUR = 3_600_000;
const KEYS = ['', 'a', "'; DROP TABLE x; --", 'a b', 'a:b', '\0', '\ud800', '\udc00', '{x}', 'x'.repeat(100_000)];

const CHECKS: StoreCases<ToolRateLimitsHarness> = {
  'calls up to the limit may run, and the next one learns when to try again': async ({ open }) => {
    const limiter = (await open()).limiterOf(newId(), { calls: 2, interval: HOUR });
    const answers = [await limiter.consume('k'), await limiter.consume('k'), await limiter.consume('k')];
    assertEqual(answers.slice(0, 2), [undefined, undefined], 'the answers to calls within the limit');
    const wait = answers[2];
    assertEqual(
      typeof wait === 'number' && wait > 0 && wait <= HOUR,
      true,
      `whether the time to wait, ${String(wait)}, is between 0 and the interval`,
    );
  },
  'processes count together, also at the same time': async ({ open }) => {
    const limit = { calls: 5, interval: HOUR };
    const tool = newId();
    const limiters = [await open(), await open(), await open()].map((limits) => limits.limiterOf(tool, limit));
    const answers = await Promise.all(Array.from({ length: 30 }, async (_, at) => limiters[at % 3]!.consume('k')));
    assertEqual(
      answers.filter((answer) => answer === undefined).length,
      5,
      'the number of calls that may run, of 30 at once',
    );
  },
  'every key, tool and limit has its own count': async ({ open }) => {
    const limits = await open();
    const [one, other] = [newId(), newId()];
    const limiters = [
      limits.limiterOf(one, { calls: 1, interval: HOUR }),
      limits.limiterOf(other, { calls: 1, interval: HOUR }),
      limits.limiterOf(one, { calls: 1, interval: HOUR / 2 }),
    ];
    for (const limiter of limiters) {
      for (const key of KEYS)
        assertEqual(await limiter.consume(key), undefined, `the answer to the first call with ${key.slice(0, 30)}`);
    }
    for (const key of KEYS) {
      const wait = await limiters[0]!.consume(key);
      assertEqual(typeof wait, 'number', `the type of the answer to the second call with ${key.slice(0, 30)}`);
    }
  },
  'calls may run again after the interval, even one below a second': async ({ open }) => {
    const limiter = (await open()).limiterOf(newId(), { calls: 1, interval: 400 });
    assertEqual(await limiter.consume('k'), undefined, 'the answer to the first call');
    const wait = await limiter.consume('k');
    // On a slow machine, the interval has passed by now.
    if (wait === undefined) return;
    assertEqual(wait <= 400, true, `whether the time to wait, ${wait}, is at most the interval`);
    // The clocks of processes and stores differ a little.
    await sleep(wait + 50);
    assertEqual(await limiter.consume('k'), undefined, 'the answer to a call in the next interval');
  },
  'refused calls do not make the wait longer': async ({ open }) => {
    const limiter = (await open()).limiterOf(newId(), { calls: 1, interval: HOUR });
    await limiter.consume('k');
    const first = (await limiter.consume('k')) ?? 0;
    await sleep(20);
    const second = (await limiter.consume('k')) ?? 0;
    assertEqual(second > 0 && second < first, true, `whether the wait becomes shorter: ${first}, then ${second}`);
  },
};

/**
 * What every `ToolRateLimits` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeToolRateLimits', () => {
 *   for (const { name, run } of toolRateLimitsContract({ open: () => new AcmeToolRateLimits() })) it(name, run);
 * });
 */
export function toolRateLimitsContract(harness: ToolRateLimitsHarness): readonly ContractCase[] {
  return testsOf(CHECKS, harness);
}

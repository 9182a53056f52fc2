import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, take, toArray } from 'rxjs';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { ChatMemory } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { UsageBudgetAdvisor } from './usage-budget-advisor.js';
import type { TurnRecord, UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import { type Budget, exceededUnit, InMemoryUsageLedger, type Spending, UsageLedger } from './usage-ledger.js';

const usage = { promptTokens: 1, completionTokens: 0, totalTokens: 1 };
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** A slow store that two processes share. */
class Store {
  readonly spent = new Map<string, Spending>();
  add(key: string, { tokens, cost }: Spending): void {
    const before = this.spent.get(key) ?? { tokens: 0, cost: 0 };
    this.spent.set(key, { tokens: before.tokens + tokens, cost: before.cost + cost });
  }
}

class StoredLedger extends UsageLedger {
  constructor(readonly store = new Store()) {
    super();
  }
  async spent(key: string): Promise<Spending> {
    const spent = this.store.spent.get(key) ?? { tokens: 0, cost: 0 };
    await pause();
    return spent;
  }
  async add(key: string, spending: Spending): Promise<void> {
    await pause();
    this.store.add(key, spending);
  }
  async reserve(key: string, expected: Spending, limit: Budget) {
    await pause();
    const spent = this.store.spent.get(key) ?? { tokens: 0, cost: 0 };
    if (exceededUnit(limit, spent)) return undefined;
    this.store.add(key, expected);
    return async ({ tokens, cost }: Spending) => {
      await pause();
      this.store.add(key, { tokens: tokens - expected.tokens, cost: cost - expected.cost });
    };
  }
}

function scene(script: readonly ScriptEntry[], options: UsageBudgetAdvisorOptions) {
  const model = new ScriptedChatModel(script);
  const budget = new UsageBudgetAdvisor(options);
  const records: TurnRecord[] = [];
  budget.turns.subscribe((record) => records.push(record));
  const client = clientOf(model, budget)
    .mutate()
    .defaultAdvisors((a) => a.param('user_id', 'ann').param(ChatMemory.CONVERSATION_ID, 'c'))
    .build();
  return { client, model, records };
}

const HUNDRED = Array.from({ length: 100 });
const ledgers: [string, () => UsageLedger][] = [
  ['in memory', () => new InMemoryUsageLedger()],
  ['of an application', () => new StoredLedger()],
];

describe.each(ledgers)('a ledger %s', (_which, createLedger) => {
  describe.each(bothWays)('and concurrent requests (%s)', (_how, ask) => {
    it.each(['user', 'conversation'] as const)('stay within the budget of a %s', async (scope) => {
      const answers = HUNDRED.map(() => ({ text: 'Hello', usage, delay: 1 }));
      const { client, model } = scene(answers, { [scope]: { tokens: 2 }, ledger: createLedger() });
      const texts = await Promise.all(HUNDRED.map(() => ask(client)));
      expect(model.prompts.length).toBeGreaterThan(0);
      expect(model.prompts.length).toBeLessThanOrEqual(2);
      expect(texts.filter((text) => text?.includes(`for this ${scope} is used up`))).toHaveLength(
        100 - model.prompts.length,
      );
    });

    it('run as many as are expected to fit', async () => {
      const answers = HUNDRED.map(() => ({ text: 'Hello', usage: { ...usage, promptTokens: 10, totalTokens: 10 } }));
      const expectedUsage = () => ({ promptTokens: 5, completionTokens: 5 });
      const { client, model } = scene(answers, { user: { tokens: 200 }, expectedUsage, ledger: createLedger() });
      await Promise.all(HUNDRED.map(() => ask(client)));
      expect(model.prompts).toHaveLength(20);
    });

    it('leave nothing reserved, whether they succeed or fail', async () => {
      const script = [
        ...HUNDRED.map((_, at) => (at % 2 ? 'Free' : { error: new Error('down') })),
        { text: 'Last', usage },
      ];
      const { client } = scene(script, {
        user: { tokens: 1_000_000, cost: 1000 },
        prices: { '*': { input: 0.1, output: 0.3 } },
        ledger: createLedger(),
      });
      await Promise.allSettled(HUNDRED.map(() => ask(client)));
      expect(await ask(client)).toBe('Last');
    });
  });

  it('counts the actual usage of a round, not the expected one', async () => {
    const ledger = createLedger();
    const { client } = scene([{ text: 'A', usage }, { error: new Error('down') }, 'B'], {
      user: { tokens: 1_000_000, cost: 1000 },
      prices: { '*': { input: 100_000, output: 300_000 } },
      ledger,
    });
    await client.prompt('Go').call().content();
    await expect(client.prompt('Go').call().content()).rejects.toThrow('down');
    await client.prompt('Go').call().content();
    const { tokens, cost } = await ledger.spent('user:ann');
    expect(tokens).toBe(1);
    expect(cost).toBeCloseTo(0.1);
  });

  it('releases the reservation of one budget if another one is used up', async () => {
    const ledger = createLedger();
    await ledger.add('user:ann', { tokens: 10, cost: 0 }, undefined);
    const { client, model } = scene([], { conversation: { tokens: 10 }, user: { tokens: 10 }, ledger });
    expect(await client.prompt('Go').call().content()).toMatch(/for this user/);
    expect(model.prompts).toEqual([]);
    expect(await ledger.spent('conversation:c')).toEqual({ tokens: 0, cost: 0 });
  });
});

describe('a round that is aborted', () => {
  const expectedUsage = () => ({ promptTokens: 40, completionTokens: 60 });

  it('counts with its expected usage if a stream is unsubscribed before its usage is known', async () => {
    const { client, model, records } = scene([{ chunks: ['a', 'b', 'c'], usage, delay: 5 }, 'never'], {
      user: { tokens: 100 },
      expectedUsage,
    });
    expect(await lastValueFrom(client.prompt('Go').stream().content().pipe(take(1)))).toBe('a');
    await pause();
    expect(records).toMatchObject([{ outcome: 'failed', tokens: 100, estimatedTokens: 100, rounds: 1 }]);
    expect(await client.prompt('Go').call().content()).toMatch(/for this user/);
    expect(model.prompts).toHaveLength(1);
  });

  it.each([true, false])(
    'counts with its expected usage for a call (with a loop: %s)',
    async (internalToolExecutionEnabled) => {
      const caller = new AbortController();
      const { client, records } = scene([{ text: 'late', delay: 10_000 }], { user: { tokens: 100 }, expectedUsage });
      const spec = client.prompt('Go').options({ signal: caller.signal, internalToolExecutionEnabled });
      const answer = spec.call().content();
      setTimeout(() => caller.abort(new Error('enough')), 5);
      await expect(answer).rejects.toThrow('enough');
      await pause();
      expect(records).toMatchObject([{ estimatedTokens: 100, rounds: 1 }]);
    },
  );

  it('counts with the received answer if that is more', async () => {
    const { client, records } = scene([{ chunks: ['x'.repeat(4000), 'more'], delay: 1 }], {
      user: { tokens: 1e6 },
      expectedUsage,
    });
    await lastValueFrom(client.prompt('Go').stream().content().pipe(take(1)));
    await pause();
    expect(records).toMatchObject([{ promptTokens: 40, completionTokens: 1004, estimatedTokens: 1044 }]);
  });

  it('counts nothing before the model was asked', async () => {
    const { client, records, model } = scene([], {
      user: { tokens: 100 },
      expectedUsage,
      ledger: new StoredLedger(),
    });
    client.prompt('Go').stream().content().subscribe().unsubscribe();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(records).toMatchObject([{ tokens: 0, rounds: 0 }]);
    expect(model.prompts).toEqual([]);
  });
});

it('a stream that breaks off counts with its prompt and the received answer', async () => {
  const { client, records } = scene([{ chunks: ['x'.repeat(40)], error: new Error('cut') }], {
    user: { tokens: 1e6 },
    expectedUsage: () => ({ promptTokens: 40, completionTokens: 60 }),
  });
  await expect(lastValueFrom(client.prompt('Go').stream().content().pipe(toArray()))).rejects.toThrow('cut');
  expect(records).toMatchObject([{ promptTokens: 40, completionTokens: 14, estimatedTokens: 54 }]);
});

it('a round is settled in the current window if a new one has begun', async () => {
  const ledger = new InMemoryUsageLedger();
  const settle = ledger.reserve('k', { tokens: 100, cost: 0 }, { tokens: 100 }, 20);
  await new Promise((resolve) => setTimeout(resolve, 40));
  ledger.add('k', { tokens: 30, cost: 0 }, 10_000);
  await settle?.({ tokens: 5, cost: 0 });
  expect(ledger.spent('k')).toEqual({ tokens: 35, cost: 0 });
});

it.each([undefined, {}, { promptTokens: Number.NaN, completionTokens: 1 }, { promptTokens: 1, completionTokens: -1 }])(
  'an invalid expected usage is refused: %j',
  async (expected) => {
    const { client } = scene(['x'], { user: { tokens: 1 }, expectedUsage: () => expected as never });
    await expect(client.prompt('Go').call().content()).rejects.toThrow(
      /of expectedUsage must be a number of 0 or more/,
    );
  },
);

it('a ledger that fails to reserve for one budget releases the reservation for another', async () => {
  class Failing extends InMemoryUsageLedger {
    override reserve(...given: Parameters<InMemoryUsageLedger['reserve']>) {
      if (given[0].startsWith('user')) throw new Error('gone');
      return super.reserve(...given);
    }
  }
  const ledger = new Failing();
  const { client } = scene(['x'], { conversation: { tokens: 10 }, user: { tokens: 10 }, ledger });
  await expect(client.prompt('Go').call().content()).rejects.toThrow('gone');
  expect(ledger.spent('conversation:c').tokens).toBe(0);
});

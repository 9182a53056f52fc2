import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, take, toArray } from 'rxjs';
import { ChatClient, ChatMemory, type ChatResponse, FunctionToolCallback } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { UsageBudgetAdvisor } from './usage-budget-advisor.js';
import type { TurnRecord, UsageBudgetAdvisorOptions } from './usage-budget-advisor.options.js';
import { InMemoryUsageLedger } from './usage-ledger.js';

const usage = { promptTokens: 60, completionTokens: 40, totalTokens: 100 };
const asks = (text = 'Looking'): ScriptEntry => ({ text, toolCalls: [toolCall('look')], usage });
const hang = () => new Promise(() => undefined);

function scene(script: ScriptEntry[], options: UsageBudgetAdvisorOptions, look: () => unknown = () => 'nothing') {
  const model = new ScriptedChatModel(script);
  const advisor = new UsageBudgetAdvisor(options);
  const records: TurnRecord[] = [];
  advisor.turns.subscribe((record) => records.push(record));
  const client = ChatClient.builder(model)
    .defaultTools(new FunctionToolCallback({ name: 'look', toolFunction: look }))
    .defaultAdvisors(advisor)
    .build();
  return { model, client, records };
}

const modes = [
  ['call', async (client: ChatClient) => summary(await client.prompt('Go').call().chatResponse())],
  [
    'stream',
    async (client: ChatClient) => {
      const chunks = await lastValueFrom(client.prompt('Go').stream().chatResponse().pipe(toArray()));
      return { ...summary(chunks.at(-1)), text: chunks.map(({ text }) => text ?? '').join('\n') };
    },
  ],
] as const;

function summary(response: ChatResponse | undefined) {
  const { finishReason, budget } = response?.result?.metadata ?? {};
  return { text: response?.text, finishReason, budget };
}

describe.each(modes)('a turn with a budget (%s)', (_how, ask) => {
  it('ends with the answer so far and the reason when its tokens are used up', async () => {
    const { client, model, records } = scene([asks('First'), asks('Second'), 'never'], { turn: { tokens: 150 } });
    const answer = await ask(client);
    expect(answer.text).toMatch(
      /^First\n+Second\n+The answer ends here: the budget of 150 tokens for this turn is used up\.$/,
    );
    expect(answer).toMatchObject({
      finishReason: 'budgetExceeded',
      budget: { scope: 'turn', unit: 'tokens', limit: 150 },
    });
    expect(model.prompts).toHaveLength(2);
    expect(records).toMatchObject([{ outcome: 'stopped', tokens: 200, rounds: 2, tools: { look: 2 } }]);
  });

  it('ends when its cost is used up, by the price of the model', async () => {
    const prices = { '*': { input: 1000, output: 10_000 } };
    const { client, records } = scene([asks(), 'never'], { turn: { cost: 0.4 }, prices });
    expect(await ask(client)).toMatchObject({ budget: { unit: 'cost', limit: 0.4 } });
    expect(records[0]?.cost).toBeCloseTo(0.06 + 0.4);
  });

  it.each<[string, ScriptEntry[], () => unknown]>([
    ['a tool hangs', [asks('First')], hang],
    ['the model hangs', [asks('First'), { text: 'late', delay: 60_000 }], () => 'ok'],
  ])('ends when its time is up, even if %s', async (_why, script, look) => {
    const { client, records } = scene(script, { turn: { time: 15 } }, look);
    const answer = await ask(client);
    expect(answer.text).toMatch(/^First\n+The answer ends here: the time of 15 ms for this turn is used up\.$/);
    expect(records).toMatchObject([{ outcome: 'stopped' }]);
  });

  it('stays unchanged within the budget', async () => {
    const { client, records } = scene([asks(), { text: 'Done', usage }], { turn: { tokens: 1000, time: 60_000 } });
    expect((await ask(client)).finishReason).toBe('stop');
    expect(records).toMatchObject([
      { outcome: 'completed', tokens: 200, promptTokens: 120, completionTokens: 80, rounds: 2, cost: 0 },
    ]);
  });

  it('is recorded when it fails', async () => {
    const { client, records } = scene([asks(), { error: new Error('down') }], { turn: { tokens: 1000 } });
    await expect(ask(client)).rejects.toThrow('down');
    expect(records).toMatchObject([{ outcome: 'failed', tokens: 100 }]);
  });
});

describe('a conversation or user with a budget', () => {
  const as = (client: ChatClient, conversation: string, user: string) =>
    client
      .prompt('Go')
      .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, conversation).param('user_id', user))
      .call()
      .content();
  const answers = Array.from({ length: 9 }, (_, at) => ({ text: `A${at}`, usage }));

  it('is answered until it is used up, and others are still answered', async () => {
    const { client, model } = scene(answers, { conversation: { tokens: 150 } });
    expect([await as(client, 'a', 'u'), await as(client, 'a', 'u')]).toEqual(['A0', 'A1']);
    expect(await as(client, 'a', 'u')).toMatch(/budget of 150 tokens for this conversation is used up/);
    expect(model.prompts).toHaveLength(2);
    expect(await as(client, 'b', 'u')).toBe('A2');
  });

  it('counts a user in all conversations', async () => {
    const { client } = scene(answers, { user: { tokens: 150 } });
    await as(client, 'a', 'ann');
    await as(client, 'b', 'ann');
    expect(await as(client, 'c', 'ann')).toMatch(/for this user/);
    expect(await as(client, 'c', 'bob')).toBe('A2');
  });

  it('is shared by advisors that share a ledger', async () => {
    const ledger = new InMemoryUsageLedger();
    const one = scene(answers, { user: { tokens: 100 }, ledger });
    const another = scene(answers, { user: { tokens: 100 }, ledger });
    await as(one.client, 'a', 'ann');
    expect(await as(another.client, 'a', 'ann')).toMatch(/for this user/);
  });

  it('fails a turn whose spending its ledger cannot store', async () => {
    class FullLedger extends InMemoryUsageLedger {
      #hasReserved = false;

      override add(...given: Parameters<InMemoryUsageLedger['add']>): void {
        if (this.#hasReserved) throw new Error('The disk is full');
        this.#hasReserved = true;
        super.add(...given);
      }
    }
    const { client } = scene(answers, { user: { tokens: 100 }, ledger: new FullLedger() });
    await expect(as(client, 'a', 'ann')).rejects.toThrow('The disk is full');
  });

  it('starts again when its window is over', async () => {
    const { client } = scene(answers, { user: { tokens: 100, window: 1500 } });
    await as(client, 'a', 'ann');
    expect(await as(client, 'a', 'ann')).toMatch(/for this user/);
    await new Promise((resolve) => setTimeout(resolve, 1550));
    expect(await as(client, 'a', 'ann')).toBe('A1');
  });
});

describe('a budget that a caller tries to bypass', () => {
  const ann = (client: ChatClient) => client.prompt('Go').advisors((a) => a.param('user_id', 'ann'));

  it('counts a stream after an unsubscribe', async () => {
    const { client } = scene(
      [
        { chunks: ['a', 'b'], usage },
        { chunks: ['a'], usage },
      ].map((entry) => ({ ...entry })),
      {
        user: { tokens: 100 },
      },
    );
    for await (const event of ann(client).stream().events()) if (event.type === 'usage') break;
    expect(await ann(client).call().content()).toMatch(/for this user/);
  });

  it('counts usage without a total', async () => {
    const parts = { promptTokens: 1000, completionTokens: 5 } as typeof usage;
    const { client } = scene([{ text: 'A', usage: parts }, 'B'], { user: { tokens: 100 } });
    await ann(client).call().content();
    expect(await ann(client).call().content()).toMatch(/for this user/);
  });

  it.each([
    { promptTokens: 1000, completionTokens: 5, totalTokens: 0 },
    { promptTokens: 1000, completionTokens: 5, totalTokens: -1 },
    { promptTokens: 1000, completionTokens: -2000, totalTokens: Number.NaN },
    { promptTokens: Number.NaN, completionTokens: 1000, totalTokens: 1000 },
    { completionTokens: 1000, totalTokens: 1000 } as typeof usage,
    { ...usage, cacheReadTokens: Number.NaN, cacheWriteTokens: -100_000 },
  ])('counts what is a number in %j', async (reported) => {
    const prices = { '*': { input: 1000, output: 1000 } };
    for (const user of [{ tokens: 100 }, { cost: 0.09 }]) {
      const { client, records } = scene([{ text: 'A', usage: reported }, 'B'], { user, prices });
      await ann(client).call().content();
      expect(await ann(client).call().content()).toMatch(/for this user/);
      const { tokens, promptTokens, completionTokens, cost } = records[0]!;
      for (const count of [tokens, promptTokens, completionTokens, cost]) expect(count).toBeGreaterThanOrEqual(0);
    }
  });

  it.each([Number.POSITIVE_INFINITY, 30 * 86_400_000])(
    'has no limit if its time is longer than any timer: %d',
    async (time) => {
      const { client } = scene([{ text: 'Done', delay: 5 }], { turn: { time } });
      expect(await client.prompt('Go').call().content()).toBe('Done');
    },
  );
});

describe('the price of a model', () => {
  it('is that of the longest prefix of its name, with a separate price for cached input', async () => {
    const prices = {
      '*': { input: 1e6, output: 1e6 },
      gpt: { input: 1e6, output: 1e6 },
      'gpt-mini': { input: 100, output: 200, cacheRead: 10 },
    };
    const cached = { promptTokens: 100, completionTokens: 10, totalTokens: 110, cacheReadTokens: 50 };
    const { client, records } = scene([{ text: 'Hi', usage: cached }], { prices });
    await client.prompt('Go').options({ model: 'gpt-mini-2026' }).call().content();
    expect(records[0]?.cost).toBeCloseTo((50 * 100 + 50 * 10 + 10 * 200) / 1e6);
  });
});

describe('without a tool loop, a budget', () => {
  it.each(modes)('applies to the single request (%s)', async (_how, ask) => {
    const { client, records } = scene(['late', { text: 'late', delay: 60_000 }].slice(1), { turn: { time: 10 } });
    const alone = client.mutate().defaultOptions({ internalToolExecutionEnabled: false }).build();
    expect(await ask(alone)).toMatchObject({ finishReason: 'budgetExceeded', budget: { unit: 'time' } });
    expect(records).toMatchObject([{ outcome: 'stopped' }]);
  });
});

describe('the record of a request without a tool loop', () => {
  const alone = (client: ChatClient) =>
    client.prompt('Go').options({ internalToolExecutionEnabled: false }).stream().content();

  it('has the usage of an answer', async () => {
    const { client, records } = scene([{ text: 'Done', usage }], { turn: { tokens: 1000 } });
    await lastValueFrom(alone(client));
    expect(records).toMatchObject([{ outcome: 'completed', tokens: 100, rounds: 1 }]);
  });

  it('has the usage of a stream after an unsubscribe', async () => {
    const { client, records } = scene([{ chunks: ['a', 'b'], usage }], { turn: { tokens: 1000 } });
    await lastValueFrom(alone(client).pipe(take(1)));
    await new Promise(setImmediate);
    expect(records).toMatchObject([{ outcome: 'failed', rounds: 1 }]);
  });

  it('has no round of a stream that fails before the first chunk', async () => {
    const { client, records } = scene([{ error: new Error('down') }], { turn: { tokens: 1000 } });
    await expect(lastValueFrom(alone(client))).rejects.toThrow('down');
    expect(records).toMatchObject([{ outcome: 'failed', rounds: 0 }]);
  });
});

describe('an invalid option', () => {
  it.each([
    [{ turn: { tokens: 0 } }, /turn\.tokens must be a number greater than 0/],
    [{ user: { window: -1 } }, /user\.window/],
    [{ turn: { cost: 1 } }, /turn\.cost needs prices: set prices\['\*'\]/],
    [{ ledger: { spent: () => 0, add: () => 0 } as never }, /The ledger has no reserve\(\)/],
  ])('is refused: %j', (options, message) => {
    expect(() => new UsageBudgetAdvisor(options)).toThrow(message);
  });
});

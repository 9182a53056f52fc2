import { describe, expect, it } from '@jest/globals';
import { type ChatClientRequestSpec, Ordered } from '@nestor-ai/core';
import { UsageBudgetAdvisor, type UsageBudgetAdvisorOptions } from '@nestor-ai/advisors';
import type { ScriptEntry } from '@nestor-ai/testing';
import { startApplication } from '../nest/application.js';
import { requestOf } from './payments.js';

const usage = { promptTokens: 60, completionTokens: 40, totalTokens: 100 };
const ANSWERS: ScriptEntry[] = Array.from({ length: 9 }, () => ({ text: 'Fine.', usage }));
const USED_UP = expect.stringMatching(/for this user is used up/);

async function start(options: Partial<UsageBudgetAdvisorOptions> = {}) {
  const { client } = await startApplication({}, ANSWERS);
  const budget = new UsageBudgetAdvisor({ user: { tokens: 100 }, ...options });
  return (as: (spec: ChatClientRequestSpec) => ChatClientRequestSpec = (spec) => spec) =>
    as(client.prompt('Go').advisors(budget)).call().content();
}

describe('a budget for each user', () => {
  it('holds for requests that name nobody, all of which are one user', async () => {
    const ask = await start();
    expect(await ask()).toBe('Fine.');
    expect(await ask()).toEqual(USED_UP);
    expect(await ask((spec) => spec.request({ ip: '192.0.2.7' }))).toEqual(USED_UP);
    expect(await ask((spec) => spec.advisors((a) => a.param('user_id', 'ann')))).toBe('Fine.');
  });

  it('holds where userOf knows nobody, and a user cannot take the name of nobody', async () => {
    const ask = await start({ userOf: ({ context }) => context['name'] as string | undefined });
    expect(await ask()).toBe('Fine.');
    expect(await ask()).toEqual(USED_UP);
    for (const name of ['user', 'undefined', 'anonymous']) {
      expect(await ask((spec) => spec.advisors((a) => a.param('name', name)))).toBe('Fine.');
    }
  });

  it.each([
    ['in the tool loop', undefined],
    ['around it', { order: Ordered.HIGHEST_PRECEDENCE + 10 }],
  ])('knows the subject of the request: %s', async (_name, options) => {
    const ask = await start(options);
    const asAnn = () => ask((spec) => spec.request(requestOf('ann')));
    expect(await asAnn()).toBe('Fine.');
    expect(await asAnn()).toEqual(USED_UP);
    expect(await ask((spec) => spec.request(requestOf('bob')))).toBe('Fine.');
  });
});

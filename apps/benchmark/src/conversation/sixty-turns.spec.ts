import { expect, it } from '@jest/globals';
import { sixtyTurns } from './sixty-turns.js';

it('costs a fraction with a summary, context editing or a search, and loses no fact', async () => {
  const whole = await sixtyTurns('nothing');
  expect(whole.knowsFact).toBe(true);
  for (const strategy of ['summaries', 'context editing', '20 messages, with a search'] as const) {
    const { tokens, knowsFact } = await sixtyTurns(strategy);
    expect(knowsFact).toBe(true);
    expect(tokens).toBeLessThan(whole.tokens / 3);
  }
  for (const strategy of ['8,000 tokens', '20 messages'] as const)
    expect((await sixtyTurns(strategy)).knowsFact).toBe(false);
});

it('never sends more than the limit and what the turn itself has said', async () => {
  for (const strategy of ['8,000 tokens', 'summaries'] as const)
    expect((await sixtyTurns(strategy)).largest).toBeLessThan(8000 + 2000);
});

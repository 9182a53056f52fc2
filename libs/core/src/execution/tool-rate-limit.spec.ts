import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import { type ToolRateLimiter, ToolRateLimits } from './tool-rate-limits.js';

/** Limits that all processes share. `answer` decides about each call. */
class Shared extends ToolRateLimits {
  readonly limiters: unknown[] = [];
  readonly keys: string[] = [];

  constructor(private readonly answer: () => Promise<number | undefined>) {
    super();
  }

  limiterOf(...limiter: Parameters<ToolRateLimits['limiterOf']>): ToolRateLimiter {
    this.limiters.push(limiter);
    return {
      consume: (key) => {
        this.keys.push(key);
        return this.answer();
      },
    };
  }
}

async function callWith(rateLimits: ToolRateLimits, times = 1) {
  let runs = 0;
  const key = (_input: unknown, context: { get(key: string): unknown }) => String(context.get('tenant'));
  const pay = new FunctionToolCallback({
    name: 'pay',
    toolFunction: () => `run ${++runs}`,
    toolMetadata: { returnDirect: false, rateLimit: { calls: 3, interval: 60_000, key } },
  });
  const manager = new DefaultToolCallingManager({ rateLimits });
  const toolCalls = Array.from({ length: times }, () => toolCall('pay'));
  const response = new ChatResponse({ results: [{ output: new AssistantMessage({ toolCalls }) }] });
  const prompt = new Prompt('Go', { toolCallbacks: [pay], toolContext: { tenant: 'a' } });
  const last = (await manager.executeToolCalls(prompt, response)).conversationHistory.at(-1)!;
  return { responses: last.role === 'tool' ? last.responses : [], runs };
}

describe('a rate limit that processes share', () => {
  afterEach(() => Logger.overrideLogger(false));

  it('decides about each call of a tool', async () => {
    let calls = 0;
    const shared = new Shared(() => Promise.resolve(++calls > 1 ? 30_000 : undefined));
    const { responses, runs } = await callWith(shared, 2);
    expect(responses[0]).toMatchObject({ responseData: 'run 1' });
    expect(responses[1]).toMatchObject({
      isError: true,
      responseData: expect.stringContaining("'pay' takes 3 calls in 60 s. Try again in 30 s") as unknown,
    });
    expect(runs).toBe(1);
    expect(shared.limiters).toEqual([['pay', { calls: 3, interval: 60_000 }]]);
    expect(shared.keys).toEqual(['a', 'a']);
  });

  it.each([
    ['is away', () => Promise.reject(new Error('the password is hunter2'))],
    [
      'throws at once',
      (): never => {
        throw new Error('the password is hunter2');
      },
    ],
  ])('refuses the call if its store %s, and shows nothing of the error', async (_, answer) => {
    const logged: string[] = [];
    Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error: (text: string) => logged.push(text) });
    const { responses, runs } = await callWith(new Shared(answer));
    expect(responses[0]).toMatchObject({
      isError: true,
      responseData:
        'The rate limit of this tool cannot be checked now, so the call was not run. Try again later, or go on without it.',
    });
    expect(runs).toBe(0);
    expect(logged).toEqual(["ToolRateLimits of the tool 'pay' failed, so the call did not run: Error"]);
  });

  it('refuses the call if there is no limiter for it', async () => {
    Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error: () => undefined });
    const { responses, runs } = await callWith({ limiterOf: () => undefined } as never);
    expect(responses[0]).toMatchObject({ responseData: expect.stringContaining('cannot be checked now') as unknown });
    expect(runs).toBe(0);
  });
});

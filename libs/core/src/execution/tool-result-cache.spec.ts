import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolContext } from '../model/tool-context.js';
import { toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';

interface Input {
  readonly city: string;
}

/** A tool with a cache and clients that call it. */
function scene(work: (run: number, context: ToolContext) => unknown, policies: object = {}) {
  let runs = 0;
  const tool = new FunctionToolCallback({
    name: 'work',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    toolFunction: (_input: Input, context: ToolContext) => work(++runs, context),
    toolMetadata: { returnDirect: false, cacheTtl: 60_000, ...policies },
  });
  const manager = new DefaultToolCallingManager();
  const ask = async (cities: readonly string[], options: ChatOptions = {}): Promise<string[]> => {
    const toolCalls = cities.map((city) => toolCall('work', { city }));
    const response = new ChatResponse({ results: [{ output: new AssistantMessage({ toolCalls }) }] });
    const prompt = new Prompt('Go', { toolCallbacks: [tool], ...options });
    const last = (await manager.executeToolCalls(prompt, response)).conversationHistory.at(-1)!;
    return last.role === 'tool' ? last.responses.map(({ responseData }) => responseData) : [];
  };
  return { ask, runs: () => runs };
}

describe('equal calls of a tool with a cache', () => {
  it('run once if they are concurrent, within a turn and across turns', async () => {
    const { ask, runs } = scene(async (run) => {
      await sleep(10);
      return { run };
    });
    const answers = await Promise.all([ask(['Paris', 'Paris', 'Paris']), ask(['Paris'])]);
    expect(answers).toEqual([['{"run":1}', '{"run":1}', '{"run":1}'], ['{"run":1}']]);
    expect(runs()).toBe(1);
  });

  it('share a result that contains itself', async () => {
    const { ask, runs } = scene((run) => {
      const order: Record<string, unknown> = { run };
      order['items'] = [{ order }];
      return order;
    });
    const [first] = await ask(['Paris']);
    expect(first).toContain('"run":1');
    expect(await ask(['Paris', 'Paris'])).toEqual([first, first]);
    expect(runs()).toBe(1);
  });

  it('run separately for each context and for other arguments', async () => {
    const { ask, runs } = scene(async (run) => {
      await sleep(10);
      return run;
    });
    await Promise.all([
      ask(['Paris'], { toolContext: { tenant: 'a' } }),
      ask(['Paris', 'Rome'], { toolContext: { tenant: 'b' } }),
    ]);
    expect(runs()).toBe(3);
  });

  it('run separately if they fail', async () => {
    const { ask, runs } = scene(async (run) => {
      await sleep(5);
      if (run === 1) throw new Error('down');
      return `run ${run}`;
    });
    const [first, ...others] = await ask(['Paris', 'Paris', 'Paris']);
    expect(first).toContain('down');
    expect(others.sort()).toEqual(['run 2', 'run 3']);
    expect(runs()).toBe(3);
  });

  it.each([{}, { timeout: 10_000 }, { concurrencyKey: 'one' }])(
    'continue for the others when the first caller aborts: %j',
    async (policies) => {
      const signals: AbortSignal[] = [];
      const { ask, runs } = scene(async (run, { signal }) => {
        signals.push(signal);
        await sleep(run === 1 ? 10_000 : 5, undefined, { signal });
        return `run ${run}`;
      }, policies);
      const caller = new AbortController();
      const left = ask(['Paris'], { signal: caller.signal });
      await new Promise(setImmediate);
      const others = [ask(['Paris']), ask(['Paris'])];
      await new Promise(setImmediate);
      caller.abort(new Error('enough'));
      await expect(left).rejects.toThrow('enough');
      expect(await Promise.all(others)).toEqual([['run 2'], ['run 2']]);
      expect(runs()).toBe(2);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    },
  );

  it('give each caller separate data', async () => {
    const results: { list: string[] }[] = [];
    const { ask } = scene(async () => {
      await sleep(5);
      const result = { list: ['a'] };
      results.push(result);
      return result;
    });
    const asking = ask(['Paris', 'Paris']);
    await asking;
    results[0]!.list.push('changed');
    expect(await ask(['Paris'])).toEqual(['{"list":["a"]}']);
  });

  it('do not wait for themselves if a tool calls itself through another model', async () => {
    const { ask } = scene(async (run): Promise<string> =>
      run === 1 ? `outer of ${String(await ask(['Paris']))}` : 'inner',
    );
    expect(await ask(['Paris'])).toEqual(['outer of inner']);
  });
});

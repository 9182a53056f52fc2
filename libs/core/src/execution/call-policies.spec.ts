import { describe, expect, it, jest } from '@jest/globals';
import { HttpException, Logger } from '@nestjs/common';
import { Observable } from 'rxjs';
import { z } from 'zod';
import { ChatResponse } from '../model/chat-response.js';
import type { ChatOptions } from '../model/chat-options.js';
import { AssistantMessage, type ToolCall, type ToolResponse, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import { createToolDefinition } from '../model/tool-definition.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { ToolResult } from '../model/tool-result.js';
import { toolCall } from '@nestor-ai/testing';
import { Tool } from '../tool/declaration/tool.decorator.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { MethodToolCallback } from '../tool/method-tool-callback.js';
import { ToolCallbacks } from '../tool/tool-callbacks.js';
import { inNoTime, useFakeTimeouts, useRealTimeouts } from '../../../../test/fake-timeouts.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';

const QUICK = { minDelay: 1, maxDelay: 2 };

function tool(
  policies: ToolPolicies,
  toolFunction: (input: { key?: string | undefined }, context: ToolContext) => unknown,
  name = 'work',
) {
  return new FunctionToolCallback({
    name,
    inputSchema: z.object({ key: z.string().optional() }),
    toolFunction,
    toolMetadata: { returnDirect: false, ...policies },
  });
}

/** Runs calls with a manager and returns their responses. */
async function run(
  manager: DefaultToolCallingManager,
  tools: readonly ToolCallback[],
  calls: readonly ToolCall[],
  options: ChatOptions = {},
): Promise<readonly ToolResponse[]> {
  const prompt = new Prompt([new UserMessage('Hi')], { toolCallbacks: tools, ...options });
  const response = new ChatResponse({ results: [{ output: new AssistantMessage({ toolCalls: calls }) }] });
  const last = (await manager.executeToolCalls(prompt, response)).conversationHistory.at(-1)!;
  return last.role === 'tool' ? last.responses : [];
}

const texts = (responses: readonly ToolResponse[]): string[] => responses.map(({ responseData }) => responseData);

describe('a tool with retry', () => {
  it('waits its shortest delay before it runs again, also one above the usual longest', async () => {
    useFakeTimeouts();
    try {
      let tries = 0;
      const flaky = tool({ retry: { retries: 1, minDelay: 60_000 } }, () => {
        if (++tries < 2) throw new Error('not yet');
        return 'done';
      });
      const running = run(new DefaultToolCallingManager(), [flaky], [toolCall('work')]);
      await jest.advanceTimersByTimeAsync(59_000);
      expect(tries).toBe(1);
      expect(texts(await inNoTime(running))).toEqual(['done']);
    } finally {
      useRealTimeouts();
    }
  });

  it('runs again until it succeeds', async () => {
    let tries = 0;
    const flaky = tool({ retry: { retries: 3, ...QUICK } }, () => {
      if (++tries < 3) throw new Error('not yet');
      return `done in ${tries}`;
    });
    expect(await run(new DefaultToolCallingManager(), [flaky], [toolCall('work')])).toMatchObject([
      { responseData: 'done in 3' },
    ]);
  });

  it('sends the last error to the model when it never succeeds, whatever is thrown', async () => {
    let tries = 0;
    const broken = tool({ retry: { retries: 2, ...QUICK } }, () => {
      throw `try ${++tries}`;
    });
    expect(await run(new DefaultToolCallingManager(), [broken], [toolCall('work')])).toMatchObject([
      { responseData: 'try 3', isError: true },
    ]);
  });

  it.each([
    ['wrong arguments', toolCall('work', { key: 5 }), 0],
    ['a refusal by HTTP status', toolCall('work', { key: 'teapot' }), 1],
  ])('does not run again after %s', async (_what, call, expected) => {
    let tries = 0;
    const picky = tool({ retry: { retries: 3, ...QUICK } }, () => {
      tries++;
      throw new HttpException('I am a teapot', 418);
    });
    const [response] = await run(new DefaultToolCallingManager(), [picky], [call]);
    expect(response?.isError).toBe(true);
    expect(tries).toEqual(expected);
  });

  it('gets a new signal and a new timeout for each attempt', async () => {
    const signals: AbortSignal[] = [];
    class Tools {
      @Tool({ timeout: 15, retry: { retries: 1, ...QUICK } })
      async fetch(signal: AbortSignal) {
        signals.push(signal);
        if (signals.length === 1) await new Promise(() => undefined);
        return 'second time lucky';
      }
    }
    const responses = await run(new DefaultToolCallingManager(), ToolCallbacks.from(new Tools()), [toolCall('fetch')]);
    expect(texts(responses)).toEqual(['second time lucky']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('does not run again when the caller has aborted', async () => {
    const caller = new AbortController();
    let tries = 0;
    const failing = tool({ retry: { retries: 5, ...QUICK } }, () => {
      tries++;
      caller.abort(new Error('enough'));
      throw new Error('failed');
    });
    const turn = run(new DefaultToolCallingManager(), [failing], [toolCall('work')], { signal: caller.signal });
    await expect(turn).rejects.toThrow('enough');
    expect(tries).toBe(1);
  });
});

describe('a tool with a concurrency key', () => {
  function recorder(concurrencyKey: ToolPolicies['concurrencyKey']) {
    const state = { running: 0, most: 0 };
    const work = tool({ concurrencyKey: concurrencyKey! }, async () => {
      state.most = Math.max(state.most, ++state.running);
      await new Promise((resolve) => setTimeout(resolve, 3));
      state.running--;
      return 'ok';
    });
    return { state, work };
  }
  const calls = ['a', 'a', 'a'].map((key) => toolCall('work', { key }));

  it('runs one call per key at a time, across messages and turns', async () => {
    const { state, work } = recorder('account');
    const manager = new DefaultToolCallingManager();
    await Promise.all([run(manager, [work], calls), run(manager, [work], calls)]);
    expect(state.most).toBe(1);
  });

  it('runs calls of different keys at the same time', async () => {
    const { state, work } = recorder((input) => (input as { key: string }).key);
    const manager = new DefaultToolCallingManager();
    await run(manager, [work], [...calls, toolCall('work', { key: 'b' })]);
    expect(state.most).toBe(2);
  });

  it('lets the next call in after a failure', async () => {
    let count = 0;
    const failing = tool({ concurrencyKey: 'k' }, () => {
      if (++count === 1) throw new Error('first fails');
      return 'second runs';
    });
    const responses = await run(new DefaultToolCallingManager(), [failing], [toolCall('work'), toolCall('work')]);
    expect(texts(responses)).toEqual(['first fails', 'second runs']);
  });

  const NEVER = 1000;

  /**
   * Counts the bodies that run at once. Each runs for a number of milliseconds and ignores its
   * signal.
   */
  function deaf(policies: ToolPolicies, ...durations: number[]) {
    const state = { running: 0, most: 0, begun: 0 };
    const body = async (): Promise<string> => {
      const duration = durations[Math.min(state.begun++, durations.length - 1)]!;
      state.most = Math.max(state.most, ++state.running);
      await new Promise<void>((resolve) => {
        if (duration < NEVER) setTimeout(resolve, duration);
      });
      state.running--;
      return 'ok';
    };
    return { state, body, work: tool({ concurrencyKey: 'account', ...policies }, body) };
  }
  it('holds until the code has ended, however early its call was stopped', async () => {
    const { state, work } = deaf({ timeout: 100 }, 130, 5);
    const manager = new DefaultToolCallingManager();
    const answers = await Promise.all([1, 2].map(() => run(manager, [work], [toolCall('work')])));
    expect(answers.map(([answer]) => answer!.responseData)).toEqual([expect.stringMatching(/did not answer/), 'ok']);
    expect(state).toMatchObject({ most: 1, begun: 2 });
  });

  it('holds when the caller has aborted', async () => {
    const { state, work } = deaf({}, 60, 1);
    const manager = new DefaultToolCallingManager();
    const caller = new AbortController();
    const left = run(manager, [work], [toolCall('work')], { signal: caller.signal });
    setTimeout(() => caller.abort(new Error('gone')), 10);
    await expect(left).rejects.toThrow('gone');
    expect(texts(await run(manager, [work], [toolCall('work')]))).toEqual(['ok']);
    expect(state).toMatchObject({ most: 1, begun: 2 });
  });

  it('holds while a stopped generator keeps running', async () => {
    const { state, body } = deaf({}, 130, 1);
    const work = tool({ concurrencyKey: 'account', timeout: 100 }, async function* () {
      yield 'begun';
      yield await body();
    });
    const manager = new DefaultToolCallingManager();
    await Promise.all([1, 2].map(() => run(manager, [work], [toolCall('work')])));
    expect(state).toMatchObject({ most: 1, begun: 2 });
  });

  it('starts no retry while a stopped attempt is still running', async () => {
    const { state, work } = deaf({ timeout: 100, retry: { retries: 2, ...QUICK } }, 130, 130, 5);
    expect(texts(await run(new DefaultToolCallingManager(), [work], [toolCall('work')]))).toEqual(['ok']);
    expect(state).toMatchObject({ most: 1, begun: 3 });
  });

  it('is not retried while code runs that never ends', async () => {
    const { state, work } = deaf({ timeout: 20, retry: { retries: 2, ...QUICK } }, NEVER);
    const [answer] = await run(new DefaultToolCallingManager(), [work], [toolCall('work')]);
    expect(answer).toMatchObject({ isError: true, responseData: expect.stringMatching(/did not answer within 20 ms/) });
    expect(state.begun).toBe(1);
  });

  it('does not let a call wait forever for code that never ends', async () => {
    const { state, work } = deaf({ timeout: 20 }, NEVER);
    const [first, second, third] = await run(
      new DefaultToolCallingManager(),
      [work],
      [toolCall('work'), toolCall('work'), toolCall('work')],
    );
    expect(first!.responseData).toMatch(/did not answer within 20 ms/);
    for (const answer of [second, third]) {
      expect(answer).toMatchObject({
        isError: true,
        responseData: expect.stringMatching(/'work' was not run: an earlier call .* has not ended within 20 ms/),
      });
    }
    expect(state.begun).toBe(1);
  });

  it('lets a call wait longer than its timeout for calls that end in time', async () => {
    const { state, work } = deaf({ timeout: 200 }, 30);
    const many = Array.from({ length: 8 }, () => toolCall('work'));
    expect(texts(await run(new DefaultToolCallingManager(), [work], many))).toEqual(many.map(() => 'ok'));
    expect(state.most).toBe(1);
  });

  it('lets the next calls continue when a call stops waiting', async () => {
    const { state, work } = deaf({}, 40, 1);
    const manager = new DefaultToolCallingManager();
    const caller = new AbortController();
    const first = run(manager, [work], [toolCall('work')]);
    const second = run(manager, [work], [toolCall('work')], { signal: caller.signal });
    const third = run(manager, [work], [toolCall('work')]);
    setTimeout(() => caller.abort(new Error('gone')), 10);
    await expect(second).rejects.toThrow('gone');
    expect([...texts(await first), ...texts(await third)]).toEqual(['ok', 'ok']);
    expect(state).toMatchObject({ most: 1, begun: 2 });
  });
});

describe('a tool with a rate limit', () => {
  it('does not run beyond it, and the model reads when to try again', async () => {
    let count = 0;
    const rateLimit = { calls: 2, interval: 60_000, prefix: 'all', key: (): string => '' };
    rateLimit.key = function (this: typeof rateLimit) {
      return this.prefix;
    };
    const limited = tool({ rateLimit }, () => ++count);
    const manager = new DefaultToolCallingManager();
    const responses = await run(manager, [limited], [toolCall('work'), toolCall('work'), toolCall('work')]);
    expect(texts(responses).slice(0, 2)).toEqual(['1', '2']);
    expect(responses[2]).toMatchObject({
      isError: true,
      responseData: expect.stringMatching(/takes 2 calls in 60 s\. Try again in \d+ s/) as unknown,
    });
  });

  it('is counted for each key', async () => {
    const limited = tool(
      { rateLimit: { calls: 1, interval: 60_000, key: (_input, context) => String(context.get('tenant')) } },
      () => 'ok',
    );
    const manager = new DefaultToolCallingManager();
    const of = (tenant: string) => run(manager, [limited], [toolCall('work')], { toolContext: { tenant } });
    expect([...texts(await of('a')), ...texts(await of('b'))]).toEqual(['ok', 'ok']);
    expect((await of('a'))[0]?.isError).toBe(true);
  });

  it('applies to an object whose tools are created again for each request', async () => {
    class Tools {
      @Tool({ rateLimit: { calls: 1, interval: 60_000 } })
      once() {
        return 'ok';
      }
    }
    const host = new Tools();
    const manager = new DefaultToolCallingManager();
    const ask = () => run(manager, ToolCallbacks.from(host), [toolCall('once')]);
    expect([...texts(await ask())]).toEqual(['ok']);
    expect((await ask())[0]?.isError).toBe(true);
  });
});

describe('a tool with a cache', () => {
  function counter(result: (count: number) => unknown = (count) => `run ${count}`) {
    let count = 0;
    return tool({ cacheTtl: 60_000 }, () => result(++count));
  }

  it('returns the cached result for equal arguments, in whatever order they are written', async () => {
    let count = 0;
    const work = new FunctionToolCallback({
      name: 'work',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      toolFunction: () => ++count,
      toolMetadata: { returnDirect: false, cacheTtl: 60_000 },
    });
    const manager = new DefaultToolCallingManager();
    const first = await run(manager, [work], [toolCall('work', '{"a":1,"b":2}')]);
    const second = await run(
      manager,
      [work],
      [toolCall('work', '{ "b": 2, "a": 1 }'), toolCall('work', '{"a":1,"b":3}')],
    );
    expect([...texts(first), ...texts(second)]).toEqual(['1', '1', '2']);
  });

  it.each([
    [{ tenant: 'a' }, { tenant: 'b' }],
    [{ user: { id: 1 } }, { user: { id: 2 } }],
    [{ db: new Map([['a', 1]]) }, { db: new Map([['a', 2]]) }],
  ])('never shares results between callers: %j and %j', async (one, another) => {
    const work = counter();
    const manager = new DefaultToolCallingManager();
    const as = (toolContext: object) => run(manager, [work], [toolCall('work')], { toolContext: toolContext as never });
    expect([...texts(await as(one)), ...texts(await as(another)), ...texts(await as(one))]).toEqual([
      'run 1',
      'run 2',
      'run 1',
    ]);
  });

  it.each([
    ['an error', () => Promise.reject(new Error('down'))],
    ['a result that is marked as an error', () => new ToolResult({ text: 'down', isError: true })],
  ])('does not keep %s', async (_what, fail) => {
    const work = counter((count) => (count === 1 ? fail() : 'up'));
    const manager = new DefaultToolCallingManager();
    expect(texts(await run(manager, [work], [toolCall('work')]))).toEqual(['down']);
    expect(texts(await run(manager, [work], [toolCall('work')]))).toEqual(['up']);
  });

  it('distinguishes arguments that are not JSON or contain numbers that JSON cannot hold', async () => {
    const inputs: string[] = [];
    class Echo extends ToolCallback {
      override readonly toolDefinition = createToolDefinition({ name: 'echo', inputSchema: { type: 'object' } });
      override readonly toolMetadata = { returnDirect: false, cacheTtl: 60_000 };
      async call(input: string) {
        inputs.push(input);
        return input;
      }
    }
    const manager = new DefaultToolCallingManager();
    const echo = new Echo();
    for (const input of ['Paris', 'London', '{"id":9007199254740992}', '{"id":9007199254740993}', 'Paris']) {
      expect(texts(await run(manager, [echo], [toolCall('echo', input)]))).toEqual([input]);
    }
    expect(inputs).toHaveLength(4);
  });

  it('distinguishes callers by symbols as well', async () => {
    const TENANT = Symbol('tenant');
    const work = counter();
    const manager = new DefaultToolCallingManager();
    const as = (toolContext: object) => run(manager, [work], [toolCall('work')], { toolContext: toolContext as never });
    const answers = [
      await as({ [TENANT]: 'a' }),
      await as({ [TENANT]: 'b' }),
      await as({ t: Symbol('a') }),
      await as({ t: Symbol('b') }),
    ];
    expect(answers.flatMap(texts)).toEqual(['run 1', 'run 2', 'run 3', 'run 4']);
  });

  it('gives each caller a copy of the cached result', async () => {
    const work = new FunctionToolCallback({
      name: 'work',
      toolFunction: () => ({ list: ['a'] }),
      toolMetadata: { returnDirect: true, cacheTtl: 60_000 },
    });
    const manager = new DefaultToolCallingManager();
    const [first] = await run(manager, [work], [toolCall('work')]);
    (first!.value as { list: string[] }).list.push('changed');
    expect(texts(await run(manager, [work], [toolCall('work')]))).toEqual(['{"list":["a"]}']);
  });

  it('keeps the last item of an Observable, not the Observable', async () => {
    let subscribed = 0;
    const work = tool(
      { cacheTtl: 60_000 },
      () =>
        new Observable((subscriber) => {
          subscribed++;
          subscriber.next('half');
          subscriber.next('whole');
          subscriber.complete();
        }),
    );
    const manager = new DefaultToolCallingManager();
    const ask = () => run(manager, [work], [toolCall('work')]);
    expect([...texts(await ask()), ...texts(await ask()), subscribed]).toEqual(['whole', 'whole', 1]);
  });
});

describe('a function that decides about a call', () => {
  const fails = (): never => {
    throw new Error('the password is hunter2');
  };

  it.each<[string, ToolPolicies, RegExp]>([
    [
      'needsApproval',
      { needsApproval: fails },
      /^It cannot be decided now whether this call needs approval\. It was not run\.$/,
    ],
    ['concurrencyKey', { concurrencyKey: fails }, /^The tool cannot be called now\.$/],
    ['rateLimit.key', { rateLimit: { calls: 5, interval: 1000, key: fails } }, /^The tool cannot be called now\.$/],
  ])('is logged by its error class if it fails, and hidden from the model: %s', async (what, policies, told) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    let isRun = false;
    const work = tool(policies, () => (isRun = true));
    const [answer] = await run(new DefaultToolCallingManager(), [work], [toolCall('work')]);
    const [[message]] = log.mock.calls as [[string]];
    log.mockRestore();
    expect(answer).toMatchObject({ isError: true, responseData: expect.stringMatching(told) });
    expect(message).toBe(`${what} of the tool 'work' failed, so the call did not run: Error`);
    expect(isRun).toBe(false);
  });

  it('leaves the arguments unchanged if a repair fails', async () => {
    const manager = new DefaultToolCallingManager({ argumentRepair: { repair: fails } });
    const [answer] = await run(manager, [tool({}, () => 'ok')], [toolCall('work', '{"key"')]);
    expect(answer!.responseData).toMatch(/the arguments are not valid JSON/);
  });
});

describe('policies', () => {
  it('limit the time of a needsApproval function that hangs', async () => {
    const work = tool({ needsApproval: () => new Promise<boolean>(() => undefined), timeout: 5 }, () => 'never');
    expect(texts(await run(new DefaultToolCallingManager(), [work], [toolCall('work')]))).toEqual([
      "The tool 'work' did not answer within 5 ms and was given up: it may still have an effect.",
    ]);
  });

  it('use the arguments themselves, whatever they look like', async () => {
    const needsApproval = (input: { amount: number }) => input.amount > 100;
    class Pay extends ToolCallback {
      override readonly toolDefinition = createToolDefinition({ name: 'pay', inputSchema: { type: 'object' } });
      override readonly toolMetadata = { returnDirect: false, needsApproval };
      paid = 0;
      async call() {
        return `${++this.paid}`;
      }
    }
    const pay = new Pay();
    for (const input of ['{"amount":500,"iban":"1234567890123456"}', '{"amount": 500,}', 'nonsense']) {
      expect(await run(new DefaultToolCallingManager(), [pay], [toolCall('pay', input)])).toEqual([]);
    }
    expect(pay.paid).toBe(0);
    expect(texts(await run(new DefaultToolCallingManager(), [pay], [toolCall('pay', { amount: 5 })]))).toEqual(['1']);
  });

  it('apply once to a tool that passes its context on to another', async () => {
    const inner = tool({}, () => 'inner');
    const outer = tool({ concurrencyKey: 'k', rateLimit: { calls: 1, interval: 60_000 } }, (_input, context) =>
      inner.call('{}', context),
    );
    expect(texts(await run(new DefaultToolCallingManager(), [outer], [toolCall('work')]))).toEqual(['inner']);
  });

  it('of a method apply, however the callback was created', async () => {
    class Bank {
      @Tool({ needsApproval: true })
      pay() {
        return 'paid';
      }
    }
    const callback = new MethodToolCallback({
      toolDefinition: createToolDefinition({ name: 'send', inputSchema: { type: 'object' } }),
      toolMethod: 'pay',
      toolObject: new Bank(),
    });
    expect(await run(new DefaultToolCallingManager(), [callback], [toolCall('send')])).toEqual([]);
  });

  it('do not let a tool run after its call was stopped', async () => {
    let decide: ((isNeeded: boolean) => void) | undefined;
    let runs = 0;
    const needsApproval = () =>
      new Promise<boolean>((resolve) => {
        decide = resolve;
      });
    const work = tool({ needsApproval, timeout: 5 }, () => ++runs);
    await run(new DefaultToolCallingManager(), [work], [toolCall('work')]);
    decide?.(false);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(runs).toBe(0);
  });

  it('use the error of a tool, not the error that another tool wrapped it in', async () => {
    let tries = 0;
    const inner = tool({}, () => {
      tries++;
      throw new HttpException('gone', 404);
    });
    class Outer extends ToolCallback {
      override readonly toolDefinition = createToolDefinition({ name: 'outer', inputSchema: { type: 'object' } });
      override readonly toolMetadata = { returnDirect: false, retry: { retries: 2, ...QUICK } };
      call(input: string) {
        return inner.call(input);
      }
    }
    await run(new DefaultToolCallingManager(), [new Outer()], [toolCall('outer')]);
    expect(tries).toBe(1);
  });

  it.each<[string, ToolPolicies]>([
    ['an interval that is too long for a timer', { rateLimit: { calls: 1, interval: 30 * 86_400_000 } }],
  ])('refuse %s', async (_what, policies) => {
    expect(() => tool(policies, () => 'x').verify()).toThrow(/rateLimit/);
  });

  class Opaque extends ToolCallback {
    override readonly toolDefinition = createToolDefinition({ name: 'opaque', inputSchema: { type: 'object' } });
    override readonly toolMetadata = { returnDirect: false, retry: { retries: 2, ...QUICK } };
    tries = 0;
    async call(): Promise<string> {
      if (++this.tries < 3) throw new Error('not yet');
      return 'done';
    }
  }

  it('apply to a custom ToolCallback', async () => {
    expect(texts(await run(new DefaultToolCallingManager(), [new Opaque()], [toolCall('opaque')]))).toEqual(['done']);
  });

  it('work together: a cached result needs no other attempt', async () => {
    let tries = 0;
    const work = tool({ retry: { retries: 2, ...QUICK }, cacheTtl: 60_000, concurrencyKey: 'k', timeout: 1000 }, () => {
      if (++tries % 2 === 1) throw new Error('odd');
      return tries;
    });
    const manager = new DefaultToolCallingManager();
    const ask = async (call: ToolCall) => texts(await run(manager, [work], [call]));
    const answers = [
      await ask(toolCall('work')),
      await ask(toolCall('work')),
      await ask(toolCall('work', { key: 'x' })),
    ];
    expect(answers).toEqual([['2'], ['2'], ['4']]);
  });

  it('may come from the configuration, which overrides the tool', async () => {
    const work = tool({ timeout: 60_000 }, () => new Promise(() => undefined));
    const manager = new DefaultToolCallingManager({
      policiesOf: (name) => (name === 'work' ? { timeout: 5 } : undefined),
    });
    expect(texts(await run(manager, [work], [toolCall('work')]))).toEqual([
      "The tool 'work' did not answer within 5 ms and was given up: it may still have an effect.",
    ]);
  });

  it.each<[string, ToolPolicies]>([
    ['retry', { retry: -1 }],
    ['retry', { retry: 1.5 }],
    ['rateLimit', { rateLimit: { calls: 0, interval: 1000 } }],
    ['retry', { retry: {} as never }],
    ['retry', { retry: { retries: 1, minDelay: -1 } }],
    ['retry', { retry: { retries: 1, maxDelay: Number.NaN } }],
    ['retry', { retry: { retries: 1, minDelay: Number.POSITIVE_INFINITY } }],
    ['retry', { retry: { retries: 1, maxDelay: 2 ** 31 } }],
    ['cacheTtl', { cacheTtl: 0 }],
    ['cacheTtl', { cacheTtl: Number.POSITIVE_INFINITY }],
    ['concurrencyKey', { concurrencyKey: 5 as never }],
    ['needsApproval', { needsApproval: 'yes' as never }],
  ])('are refused when the tool is declared if they are invalid: %s', (name, policies) => {
    expect(() => {
      class Tools {
        @Tool(policies)
        work() {
          return 'ok';
        }
      }
      ToolCallbacks.from(new Tools());
    }).toThrow(new RegExp(`^The tool 'work' \\(Tools\\.work\\) .* ${name} (must|needs)`));
  });
});

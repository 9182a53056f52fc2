import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ChatResponse } from '../model/chat-response.js';
import {
  AssistantMessage,
  type ToolCall,
  type ToolResponse,
  ToolResponseMessage,
  UserMessage,
} from '../model/messages.js';
import type { ChatOptions } from '../model/chat-options.js';
import { Prompt } from '../model/prompt.js';
import { ToolCallback } from '../model/tool-callback.js';
import { ToolResult } from '../model/tool-result.js';
import { REQUEST_SCOPE, RequestScope } from '../model/request-scope.js';
import { TurnControl } from '../model/turn-control.js';
import { FunctionToolCallback, type FunctionToolCallbackOptions } from '../tool/function-tool-callback.js';
import { ToolExecutionException } from '../tool/tool-execution.exception.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import { StaticToolCallbackResolver } from './tool-callback-resolver.js';
import { DefaultToolExecutionExceptionProcessor } from './tool-execution-exception-processor.js';
import { type ToolExecutionResult, ToolExecutionResult as Results } from './tool-execution-result.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function tool(
  name: string,
  toolFunction: FunctionToolCallbackOptions['toolFunction'] = () => `${name} done`,
  toolMetadata: Record<string, unknown> = {},
): FunctionToolCallback {
  return new FunctionToolCallback({ name, toolFunction, toolMetadata: { returnDirect: false, ...toolMetadata } });
}

let nextId = 0;
const call = (name: string, args = '{}'): ToolCall => ({ id: `id${nextId++}`, name, arguments: args });

interface Given {
  tools: readonly ToolCallback[];
  calls: readonly ToolCall[];
  options?: ChatOptions;
  manager?: ToolCallingManagerOptions;
  history?: Prompt['messages'];
}

function execute({ tools, calls, options, manager, history }: Given): Promise<ToolExecutionResult> {
  const prompt = new Prompt(history ?? [new UserMessage('Hi')], { toolCallbacks: tools, ...options });
  const response = new ChatResponse({ results: [{ output: new AssistantMessage({ toolCalls: calls }) }] });
  return new DefaultToolCallingManager(manager).executeToolCalls(prompt, response);
}

async function responsesOf(given: Given): Promise<readonly ToolResponse[]> {
  const last = (await execute(given)).conversationHistory.at(-1);
  return last?.role === 'tool' ? last.responses : [];
}

describe('the tool calls of a message', () => {
  it('are answered in one message, in order, after the previous messages', async () => {
    const calls = [call('slow'), call('fast')];
    const tools = [tool('slow', () => sleep(10).then(() => 'slow')), tool('fast', () => 'fast')];
    const { conversationHistory, returnDirect } = await execute({ tools, calls });
    expect(conversationHistory.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(conversationHistory.at(-1)).toEqual(
      new ToolResponseMessage({
        responses: [
          { id: calls[0]!.id, name: 'slow', responseData: 'slow' },
          { id: calls[1]!.id, name: 'fast', responseData: 'fast' },
        ],
      }),
    );
    expect(returnDirect).toBe(false);
  });

  it('run at the same time, but never more than allowed', async () => {
    let running = 0;
    let most = 0;
    const busy = tool('busy', async () => {
      most = Math.max(most, ++running);
      await sleep(5);
      running--;
    });
    const calls = Array.from({ length: 12 }, () => call('busy'));
    await execute({ tools: [busy], calls });
    expect(most).toBe(8);
    most = 0;
    await execute({ tools: [busy], calls, manager: { concurrency: 3 } });
    expect(most).toBe(3);
  });

  it('run alone when their tool is sequential', async () => {
    const log: string[] = [];
    const logged = (name: string, metadata = {}): ToolCallback =>
      tool(
        name,
        async () => {
          log.push(`+${name}`);
          await sleep(2);
          log.push(`-${name}`);
        },
        metadata,
      );
    const tools = [logged('a'), logged('alone', { sequential: true }), logged('b')];
    await execute({ tools, calls: ['a', 'b', 'alone', 'a', 'b'].map((name) => call(name)) });
    expect(log).toEqual(['+a', '+b', '-a', '-b', '+alone', '-alone', '+a', '+b', '-a', '-b']);
  });

  it('come from the first generation that has any', async () => {
    const prompt = new Prompt('Hi', { toolCallbacks: [tool('a'), tool('b')] });
    const response = new ChatResponse({
      results: [
        { output: new AssistantMessage('text') },
        { output: new AssistantMessage({ toolCalls: [call('a')] }) },
        { output: new AssistantMessage({ toolCalls: [call('b')] }) },
      ],
    });
    const { conversationHistory } = await new DefaultToolCallingManager().executeToolCalls(prompt, response);
    expect(conversationHistory.at(-1)).toMatchObject({ responses: [{ name: 'a' }] });
  });

  it('are required', async () => {
    await expect(execute({ tools: [], calls: [] })).rejects.toThrow('No tool call requested by the chat model');
  });

  it('receive the application’s context, the call and the history', async () => {
    let seen: unknown[] = [];
    const spy = tool('spy', (_input, context) => {
      seen = [context.get('tenant'), context.toolCall.name, context.history.length, context.signal.aborted];
    });
    await execute({ tools: [spy], calls: [call('spy')], options: { toolContext: { tenant: 'acme' } } });
    expect(seen).toEqual(['acme', 'spy', 1, false]);
  });
});

describe('a mistake of the model', () => {
  it('is answered with the available names and the closest one', async () => {
    const tools = [tool('getWeather'), tool('setAlarm')];
    const [answer] = await responsesOf({ tools, calls: [call('getWether')] });
    expect(answer).toMatchObject({
      isError: true,
      responseData: "Unknown tool 'getWether'. Did you mean 'getWeather'? Available tools: getWeather, setAlarm.",
    });
  });

  it('is answered even if there are no tools at all', async () => {
    const [answer] = await responsesOf({ tools: [], calls: [call('anything')] });
    expect(answer?.responseData).toMatch(/No tools are available/);
  });

  it.each(['{"city": ', 'not json', '[]', '{"city":5}', '{"city":"Rome","x":1}'])(
    'is answered with the problem of the arguments %s, and the other calls run',
    async (args) => {
      const weather = new FunctionToolCallback({
        name: 'weather',
        inputSchema: {
          type: 'object',
          properties: { city: { type: 'string', minLength: 2 } },
          additionalProperties: false,
        },
        toolFunction: () => 'sunny',
      });
      const answers = await responsesOf({ tools: [weather], calls: [call('weather', args), call('weather')] });
      expect(answers[0]).toMatchObject({ isError: true, responseData: expect.stringContaining('Invalid arguments') });
      expect(answers[1]).toMatchObject({ responseData: 'sunny' });
    },
  );

  it('does not include leaving out arguments if none are needed', async () => {
    const answers = await responsesOf({
      tools: [tool('a')],
      calls: [call('a', ''), { id: '1', name: 'a', arguments: undefined as never }],
    });
    expect(answers.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  });

  it('runs nothing if it names a tool that is not in the request', async () => {
    let ran = false;
    const secret = tool('deleteAll', () => (ran = true));
    const manager = { toolCallbackResolver: new StaticToolCallbackResolver([secret]) };
    const [answer] = await responsesOf({ tools: [tool('a')], calls: [call('deleteAll')], manager });
    expect(answer).toMatchObject({ isError: true, responseData: expect.stringContaining('Unknown tool') });
    expect(ran).toBe(false);
    await responsesOf({
      tools: [],
      calls: [call('deleteAll')],
      manager: { ...manager, resolutionFallbackEnabled: true },
    });
    expect(ran).toBe(true);
  });
});

class Outage extends Error {}

describe('a tool that fails', () => {
  const failing = (thrown: unknown): ToolCallback =>
    tool('failing', () => {
      throw thrown;
    });

  it.each([
    ['an error', new Error('No seat left'), 'No seat left'],
    ['a string', 'plain text', 'plain text'],
    ['nothing', undefined, 'Exception occurred in tool: failing (undefined)'],
    ['an error without a message', new RangeError(), 'Exception occurred in tool: failing (RangeError)'],
    ['an object that cannot be printed', Object.create(null), 'Exception occurred in tool: failing (object)'],
  ])('is reported to the model if it throws %s, and the other results are kept', async (_name, thrown, text) => {
    const tools = [failing(thrown), tool('fine')];
    const answers = await responsesOf({ tools, calls: [call('fine'), call('failing'), call('fine')] });
    expect(answers.map(({ responseData }) => responseData)).toEqual(['fine done', text, 'fine done']);
    expect(answers.map(({ isError }) => isError)).toEqual([undefined, true, undefined]);
  });

  it('ends the turn on request: with the exception, or with the cause if its class is listed', async () => {
    const outage = new Outage('down');
    const run = (options: ConstructorParameters<typeof DefaultToolExecutionExceptionProcessor>[0]) =>
      execute({
        tools: [failing(outage)],
        calls: [call('failing')],
        manager: { toolExecutionExceptionProcessor: new DefaultToolExecutionExceptionProcessor(options) },
      });
    await expect(run({ alwaysThrow: true })).rejects.toBeInstanceOf(ToolExecutionException);
    await expect(run({ rethrow: [Outage] })).rejects.toBe(outage);
    const { conversationHistory } = await run({ rethrow: [RangeError] });
    expect(conversationHistory.at(-1)).toMatchObject({ responses: [{ responseData: 'down', isError: true }] });
  });

  it('is reported with the message of its own ToolExecutionException', async () => {
    const [answer] = await responsesOf({
      tools: [tool('a', () => new ToolResult({ text: 'Not today', isError: true }), { returnDirect: true })],
      calls: [call('a')],
    });
    expect(answer).toEqual({ id: expect.any(String), name: 'a', responseData: 'Not today', isError: true });
  });

  it('does not crash if it is a custom tool that returns nothing', async () => {
    class Odd extends ToolCallback {
      readonly toolDefinition = { name: 'odd', description: '', inputSchema: {} };
      call(): Promise<never> {
        return Promise.resolve(undefined as never);
      }
    }
    expect((await responsesOf({ tools: [new Odd()], calls: [call('odd')] }))[0]?.responseData).toBe('');
  });
});

describe('a tool that hangs', () => {
  const hanging = (metadata = {}): [ToolCallback, () => AbortSignal] => {
    let signal!: AbortSignal;
    const callback = tool(
      'hanging',
      (_input, context) => {
        ({ signal } = context);
        return new Promise(() => {});
      },
      metadata,
    );
    return [callback, () => signal];
  };

  it('is stopped after its timeout, and the turn goes on', async () => {
    const [callback, signal] = hanging({ timeout: 10 });
    const answers = await responsesOf({ tools: [callback, tool('a')], calls: [call('hanging'), call('a')] });
    expect(answers[0]).toMatchObject({ isError: true, responseData: expect.stringContaining('within 10 ms') });
    expect(answers[1]).toMatchObject({ responseData: 'a done' });
    expect(signal().aborted).toBe(true);
  });

  it('is stopped after the timeout of all tools, unless it has its own', async () => {
    const [callback] = hanging();
    const slow = tool('slow', () => sleep(20).then(() => 'slow'), { timeout: 1000 });
    const manager = { timeout: 5 };
    const answers = await responsesOf({ tools: [callback, slow], calls: [call('hanging'), call('slow')], manager });
    expect(answers.map(({ isError }) => isError)).toEqual([true, undefined]);
  });

  it('does not block a turn that its caller aborts', async () => {
    const [callback, signal] = hanging();
    const caller = new AbortController();
    const run = execute({ tools: [callback], calls: [call('hanging')], options: { signal: caller.signal } });
    setTimeout(() => caller.abort(new Error('enough')), 5);
    await expect(run).rejects.toThrow('enough');
    expect(signal().aborted).toBe(true);
  });

  it('does not start in a turn that is already aborted', async () => {
    let ran = false;
    const scope = new RequestScope<TurnControl>();
    scope.turn = new TurnControl();
    scope.turn.abort(new Error('over'));
    const run = execute({
      tools: [tool('a', () => (ran = true))],
      calls: [call('a')],
      options: { [REQUEST_SCOPE]: scope },
    });
    await expect(run).rejects.toThrow('over');
    expect(ran).toBe(false);
  });
});

describe('returning results directly', () => {
  const direct = (name: string): ToolCallback => tool(name, () => name, { returnDirect: true });

  it('happens when all tools of the message ask for it', async () => {
    const result = await execute({ tools: [direct('a'), direct('b')], calls: [call('a'), call('b')] });
    expect(result.returnDirect).toBe(true);
    expect(Results.buildGenerations(result)).toEqual([
      {
        output: new AssistantMessage({ text: 'a' }),
        metadata: { finishReason: 'returnDirect', toolId: expect.any(String), toolName: 'a' },
      },
      expect.objectContaining({ output: new AssistantMessage({ text: 'b' }) }),
    ]);
  });

  it('does not happen if one does not, or one fails, because the model must see that', async () => {
    const mixed = await execute({ tools: [direct('a'), tool('b')], calls: [call('a'), call('b')] });
    const failed = await execute({ tools: [direct('a')], calls: [call('a'), call('nope')] });
    expect(mixed.returnDirect).toBe(false);
    expect(failed.returnDirect).toBe(false);
  });
});

describe('limits', () => {
  const counter = (): [ToolCallback, () => number] => {
    let count = 0;
    return [tool('a', () => ++count), () => count];
  };

  it('let exactly as many calls of a turn run, keep their results, and end the turn', async () => {
    const [callback, count] = counter();
    const run = execute({
      tools: [callback],
      calls: [call('a'), call('a'), call('a')],
      manager: { limits: { maxCallsPerTool: 2 } },
    });
    await expect(run).rejects.toMatchObject({
      name: 'ToolCallLimitExceededException',
      message: "Tool call limit (2) exceeded for tool 'a'",
      toolName: 'a',
      limit: 2,
      partialResult: { conversationHistory: expect.arrayContaining([expect.objectContaining({ role: 'tool' })]) },
    });
    expect(count()).toBe(2);
  });

  it('tell the model instead, when asked to', async () => {
    const [callback] = counter();
    const answers = await responsesOf({
      tools: [callback],
      calls: [call('a'), call('a')],
      manager: { limits: { maxCallsPerTool: 1, onLimitExceeded: 'RETURN_ERROR_RESPONSE' } },
    });
    expect(answers[0]?.isError).toBeUndefined();
    expect(answers[1]).toMatchObject({ isError: true, responseData: expect.stringContaining('limit (1) exceeded') });
  });

  const earlier = (name: string, count: number): Prompt['messages'] => [
    new UserMessage('Earlier'),
    new ToolResponseMessage({ responses: Array.from({ length: 99 }, () => ({ id: '', name, responseData: '' })) }),
    new UserMessage('Now'),
    new ToolResponseMessage({ responses: Array.from({ length: count }, () => ({ id: '', name, responseData: '' })) }),
  ];

  it.each([
    ['40 of one tool', 40, 'a', {}, 'a', "Tool call limit (40) exceeded for tool 'a'"],
    ['150 in total', 150, 'b', {}, undefined, 'Total tool call limit (150) exceeded for this turn'],
  ])('are %s by default, counted from the last user message', async (_name, made, name, limits, toolName, message) => {
    const run = (count: number) =>
      execute({ tools: [tool('a')], calls: [call('a')], history: earlier(name, count), manager: { limits } });
    expect((await run(made - 1)).conversationHistory.at(-1)).toMatchObject({ responses: [{ responseData: 'a done' }] });
    await expect(run(made)).rejects.toMatchObject({ toolName, limit: made, message });
  });

  it.each([
    [{ maxCallsPerTool: -1 }, 100],
    [{ excludedTools: ['a'] }, 100],
    [{ maxCallsPerToolName: { a: 101 } }, 100],
    [{ maxCallsPerTool: -1, maxTotalToolCalls: -1 }, 200],
  ])('can be removed with %j', async (limits, made) => {
    const history = earlier('a', made);
    const answers = await responsesOf({ tools: [tool('a')], calls: [call('a')], history, manager: { limits } });
    expect(answers).toMatchObject([{ responseData: 'a done' }]);
  });

  it.each([{ maxCallsPerTool: 0 }, { maxTotalToolCalls: -2 }, { maxCallsPerToolName: { a: 1.5 } }])(
    'are refused if they are invalid: %j',
    (limits) => {
      expect(() => new DefaultToolCallingManager({ limits })).toThrow(/must be greater than 0, or -1 for no limit/);
    },
  );

  it('of a function that has none for a tool are those of all tools', async () => {
    const limits = { maxCallsPerToolName: () => null as unknown as undefined };
    expect(await responsesOf({ tools: [tool('a')], calls: [call('a')], manager: { limits } })).toMatchObject([
      { responseData: 'a done' },
    ]);
  });

  it('of a function are refused at the call if they are invalid', async () => {
    const limits = { maxCallsPerToolName: () => 0 };
    await expect(responsesOf({ tools: [tool('a')], calls: [call('a')], manager: { limits } })).rejects.toThrow(
      "maxCallsPerToolName('a') must be greater than 0, or -1 for no limit, but is 0.",
    );
  });
});

describe('DefaultToolCallingManager', () => {
  it('returns the definitions of the tools in a request', () => {
    const toolCallbacks = [tool('a'), tool('b')];
    const definitions = new DefaultToolCallingManager().resolveToolDefinitions({ toolCallbacks });
    expect(definitions).toEqual(toolCallbacks.map(({ toolDefinition }) => toolDefinition));
  });

  it('finds a tool among hundreds, in a frozen list', async () => {
    const tools = Object.freeze(Array.from({ length: 300 }, (_, index) => tool(`tool${index}`)));
    const [answer] = await responsesOf({ tools, calls: [call('tool299')] });
    expect(answer?.responseData).toBe('tool299 done');
  });

  it('tells the model only a few names for an unknown tool', async () => {
    const tools = Array.from({ length: 300 }, (_, index) => tool(`tool${index}`));
    const [answer] = await responsesOf({ tools, calls: [call('x')] });
    expect(answer?.responseData.length).toBeLessThan(400);
    expect(answer?.responseData).toMatch(/and 280 more/);
  });

  it('refuses an invalid concurrency', () => {
    expect(() => new DefaultToolCallingManager({ concurrency: 0 })).toThrow(/concurrency must be/);
  });

  it('validates with the schema before the method runs', async () => {
    const callback = new FunctionToolCallback({
      name: 'a',
      inputSchema: z.object({ n: z.number() }),
      toolFunction: ({ n }) => n,
    });
    const answers = await responsesOf({ tools: [callback], calls: [call('a', '{"n":"x"}'), call('a', '{"n":1}')] });
    expect(answers.map(({ responseData }) => responseData)).toEqual([expect.stringMatching(/'n': .*number/), '1']);
  });
});

describe('input that must not end a turn', () => {
  it.each(['', undefined, null, 'x'.repeat(100_000)])('includes a tool name such as %p', async (name) => {
    const resolver = new StaticToolCallbackResolver([]);
    const answers = await responsesOf({
      tools: [tool('a')],
      calls: [{ id: '1', name: name as string, arguments: '{}' }, call('a')],
      manager: { resolutionFallbackEnabled: true, toolCallbackResolver: resolver },
    });
    expect(answers[0]).toMatchObject({ isError: true, responseData: expect.stringContaining('Unknown tool') });
    expect(answers[0]!.responseData.length).toBeLessThan(200);
    expect(answers[1]).toMatchObject({ responseData: 'a done' });
  });

  it('includes a resolver that fails', async () => {
    const toolCallbackResolver = { resolve: () => Promise.reject(new Error('the database is down')) };
    const answers = await responsesOf({
      tools: [tool('a')],
      calls: [call('b'), call('a')],
      manager: { resolutionFallbackEnabled: true, toolCallbackResolver },
    });
    expect(answers.map(({ isError }) => isError)).toEqual([true, undefined]);
    expect(answers[0]?.responseData).not.toContain('database');
  });

  it('includes more issues than the context can hold', async () => {
    const callback = new FunctionToolCallback({
      name: 'a',
      inputSchema: { type: 'object', properties: { n: { type: 'array', items: { type: 'number' } } } },
      toolFunction: () => 1,
    });
    const [answer] = await responsesOf({
      tools: [callback],
      calls: [call('a', JSON.stringify({ n: Array(5000).fill('x') }))],
    });
    expect(answer?.responseData).toMatch(/and 4980 more/);
  });

  it('includes arguments that an adapter has already parsed', async () => {
    const callback = new FunctionToolCallback({
      name: 'a',
      inputSchema: z.object({ n: z.number() }),
      toolFunction: ({ n }) => n,
    });
    const [answer] = await responsesOf({
      tools: [callback],
      calls: [{ id: '1', name: 'a', arguments: { n: 5 } as never }],
    });
    expect(answer?.responseData).toBe('5');
  });
});

describe('after a failure that ends the turn', () => {
  it('no further call starts, and the first failure in the order of the calls is thrown', async () => {
    const started: string[] = [];
    const failing = (name: string, delay: number): ToolCallback =>
      tool(name, async () => {
        started.push(name);
        await sleep(delay);
        throw new Error(name);
      });
    const run = execute({
      tools: [failing('slow', 10), failing('fast', 1), failing('later', 1)],
      calls: [call('slow'), call('fast'), call('later')],
      manager: {
        concurrency: 2,
        toolExecutionExceptionProcessor: new DefaultToolExecutionExceptionProcessor({ alwaysThrow: true }),
      },
    });
    await expect(run).rejects.toThrow('slow');
    expect(started).toEqual(['slow', 'fast']);
  });
});

describe('a timeout', () => {
  it.each([0, -1, Number.NaN, 2 ** 31])('of %p is refused', (timeout) => {
    expect(() => new DefaultToolCallingManager({ timeout })).toThrow(/timeout must be a number of milliseconds/);
  });

  it('of Infinity sets no limit', async () => {
    const slow = tool('slow', () => sleep(5).then(() => 'slow'), { timeout: Number.POSITIVE_INFINITY });
    const [answer] = await responsesOf({ tools: [slow], calls: [call('slow')], manager: { timeout: 1 } });
    expect(answer?.responseData).toBe('slow');
  });
});

it('listens to the caller’s signal only while tools run', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  await execute({ tools: [tool('a')], calls: [call('a'), call('a')], options: { signal } });
  expect(listeners).toBe(0);
});

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type ToolCall, type ToolResponse, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import { StaticToolCallbackResolver } from './tool-callback-resolver.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import { JsonRepair, ToolArgumentRepair } from './tool-argument-repair.js';

const tool = (name: string): FunctionToolCallback<{ city?: string | undefined }> =>
  new FunctionToolCallback({
    name,
    inputSchema: z.object({ city: z.string().optional() }),
    toolFunction: ({ city }) => `${name} ${city ?? ''}`.trim(),
  });

async function run(
  names: readonly string[],
  toolCalls: readonly ToolCall[],
  options: ToolCallingManagerOptions = {},
  finishReason = 'tool-calls',
): Promise<{ asked: AssistantMessage; responses: readonly ToolResponse[] }> {
  const prompt = new Prompt([new UserMessage('Hi')], { toolCallbacks: Object.freeze(names.map(tool)) });
  const response = new ChatResponse({
    results: [{ output: new AssistantMessage({ text: 'Let me see', toolCalls }), metadata: { finishReason } }],
  });
  const { conversationHistory } = await new DefaultToolCallingManager(options).executeToolCalls(prompt, response);
  const last = conversationHistory.at(-1)!;
  return {
    asked: conversationHistory.at(-2) as AssistantMessage,
    responses: last.role === 'tool' ? last.responses : [],
  };
}

const called = (name: string, args = '{}', id = 'c1'): ToolCall => ({ id, name, arguments: args });

describe('the name of a tool', () => {
  it.each([
    'get_weather',
    'GetWeather',
    'get-weather',
    'functions.getWeather',
    'functions.get_weather',
    'tools/getWeather',
    'default_api:getWeather',
    'get weather',
  ])('is recognized if it can only mean one: %s', async (name) => {
    const { asked, responses } = await run(['getWeather', 'getTime'], [called(name)]);
    expect(responses).toEqual([{ id: 'c1', name: 'getWeather', responseData: 'getWeather' }]);
    // The provider gets a name that it knows.
    expect(asked.toolCalls[0]?.name).toBe('getWeather');
    expect(asked.text).toBe('Let me see');
  });

  it('is not guessed if it could mean two tools', async () => {
    const { responses } = await run(['get_weather', 'getWeather'], [called('GETWEATHER')]);
    expect(responses[0]).toMatchObject({
      isError: true,
      responseData: expect.stringContaining('Unknown tool') as unknown,
    });
  });

  it.each(['functions.', '...', '', '__proto__', 'constructor'])(
    'is unknown if nothing is left of it: %j',
    async (name) => {
      const { responses } = await run(['getWeather'], [called(name)]);
      expect(responses[0]).toMatchObject({ isError: true });
    },
  );

  it.each([
    ['', 'unknown'],
    ['look up weather!', 'look_up_weather_'],
    ['x'.repeat(100), 'x'.repeat(64)],
    ['search.web', 'search_web'],
  ])('is one that providers accept in the history if no tool has it: %j', async (name, sent) => {
    const { asked, responses } = await run(['getTime'], [called(name)]);
    expect([asked.toolCalls[0]?.name, responses[0]?.name]).toEqual([sent, sent]);
  });

  it('stays where a tool that is found by its name may have it, whatever providers say', async () => {
    const resolver = new StaticToolCallbackResolver([tool('search.web')]);
    const options = { toolCallbackResolver: resolver, resolutionFallbackEnabled: true };
    const { responses } = await run(['getTime'], [called('search.web')], options);
    expect(responses).toMatchObject([{ name: 'search.web', responseData: 'search.web' }]);
  });

  it('counts towards the limit of the tool that it means', async () => {
    const calls = [called('getWeather', '{}', '1'), called('get_weather', '{}', '2'), called('GET_WEATHER', '{}', '3')];
    const { responses } = await run(['getWeather'], calls, {
      limits: { maxCallsPerTool: 2, onLimitExceeded: 'RETURN_ERROR_RESPONSE' },
    });
    expect(responses.map(({ isError }) => isError ?? false)).toEqual([false, false, true]);
  });
});

describe('the id of a call', () => {
  it('is created if it is missing or taken, so that every call has its response', async () => {
    const calls = [called('getTime', '{}', ''), called('getTime', '{}', 'x'), called('getTime', '{}', 'x')];
    const { asked, responses } = await run(['getTime'], calls);
    const ids = asked.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id !== '')).toBe(true);
    expect(responses.map(({ id }) => id)).toEqual(ids);
    // OpenAI refuses ids with more than 40 characters, and Mistral all but these.
    for (const id of [ids[0], ids[2]]) expect(id).toMatch(/^[a-z\d]{9}$/);
  });
});

describe('broken arguments', () => {
  const broken = "{city: 'Paris',}";

  it('must be corrected by the model if there is no argument repair', async () => {
    const { responses } = await run(['getTime'], [called('getTime', broken)]);
    expect(responses[0]).toMatchObject({
      isError: true,
      responseData: expect.stringContaining('not valid JSON') as unknown,
    });
  });

  it('are repaired without asking the model again, and the history shows the arguments that ran', async () => {
    const { asked, responses } = await run(['getTime'], [called('getTime', broken)], {
      argumentRepair: new JsonRepair(),
    });
    expect(responses[0]?.responseData).toBe('getTime Paris');
    expect(JSON.parse(asked.toolCalls[0]!.arguments)).toEqual({ city: 'Paris' });
  });

  it('are not repaired if the answer was cut off', async () => {
    const options = { argumentRepair: new JsonRepair() };
    const { responses } = await run(['getTime'], [called('getTime', '{"city": "Par')], options, 'length');
    expect(responses[0]?.isError).toBe(true);
  });

  it('do not run the tool with its defaults if the answer was cut off before them', async () => {
    for (const cut of ['', '{}', undefined as never]) {
      const { responses } = await run(
        ['getTime'],
        [called('getTime'), { ...called('getTime', cut, 'c2'), arguments: cut }],
        {},
        'length',
      );
      const { isError, responseData } = responses[1]!;
      expect([responses[0]?.isError, isError, responseData]).toEqual([
        undefined,
        true,
        "Your answer was cut off before the arguments of 'getTime', so it did not run. Call it again.",
      ]);
    }
  });

  it('become a text, in the history too, if a model gives them parsed', async () => {
    const { asked, responses } = await run(['getTime'], [called('getTime', { city: 'Paris' } as never)]);
    expect(responses[0]?.responseData).toBe('getTime Paris');
    expect(asked.toolCalls[0]!.arguments).toBe('{"city":"Paris"}');
  });

  it('are not repaired if they are JSON of the wrong type', async () => {
    let asked = 0;
    class Counting extends ToolArgumentRepair {
      repair() {
        asked++;
        return '{}';
      }
    }
    const { responses } = await run(['getTime'], [called('getTime', '{"city": 5, "town": 1}')], {
      argumentRepair: new Counting(),
    });
    expect(responses[0]?.isError).toBe(true);
    expect(asked).toBe(0);
  });

  it('are reported to the model unchanged if the repair does not help', async () => {
    class Useless extends ToolArgumentRepair {
      repair() {
        return '{"still": broken';
      }
    }
    const { responses } = await run(['getTime'], [called('getTime', broken)], { argumentRepair: new Useless() });
    expect(responses[0]).toMatchObject({ isError: true });
  });
});

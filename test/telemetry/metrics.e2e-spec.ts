import { expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ChatModelException, Tool, ToolCallers, ToolRegistry } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { startApplication } from '../nest/application.js';
import { Recorder } from './recorder.js';

const recorder = Recorder.register();

@Injectable()
class Weather {
  @Tool()
  getWeather(city: string): object {
    if (city === 'Atlantis') throw new RangeError('sunk');
    return { city };
  }
}

class Known extends ScriptedChatModel {
  override readonly provider = 'openai';
}

const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12 };
const providers = [Weather];
const ofModel = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-5',
};

function startWith(script: ConstructorParameters<typeof Known>[0]): ReturnType<typeof startApplication> {
  return startApplication({ providers }, [], { chatModel: new Known(script, { model: 'gpt-5' }) });
}

test('how long models take, by provider and model, and by the error of those that fail', async () => {
  const { client } = await startWith([
    { text: 'Hello.', delay: 3 },
    { error: new ChatModelException('busy', { httpStatus: 503 }) },
  ]);

  await client.prompt('Hello').call().content();
  await expect(client.prompt('Hello').call().content()).rejects.toThrow('busy');

  const points = await recorder.points('gen_ai.client.operation.duration');
  expect(points.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
    { attributes: ofModel, count: 1 },
    { attributes: { ...ofModel, 'error.type': '503' }, count: 1 },
  ]);
  expect(points[0]!.sum).toBeGreaterThan(0.002);
  expect(points[0]!.sum).toBeLessThan(5);
});

test('how many tokens went in and out, round by round', async () => {
  const { client } = await startWith([
    { toolCalls: [toolCall('getWeather', { city: 'Paris' })], usage },
    { text: 'Fine.', usage },
    { text: 'Fine.', usage },
  ]);

  await client.prompt('Hello').call().content();
  await lastValueFrom(client.prompt('Hello').stream().content());

  expect(await recorder.points('gen_ai.client.token.usage')).toEqual([
    { attributes: { ...ofModel, 'gen_ai.token.type': 'input' }, count: 3, sum: 30 },
    { attributes: { ...ofModel, 'gen_ai.token.type': 'output' }, count: 3, sum: 6 },
  ]);
});

test('how soon the first chunk of a stream comes, and of streams only', async () => {
  const { client } = await startWith(['Hello.', { text: 'Hello there', delay: 3 }]);

  await client.prompt('Hello').call().content();
  expect(await recorder.points('gen_ai.client.operation.time_to_first_chunk')).toEqual([]);
  await firstValueFrom(client.prompt('Hello').stream().content());

  const [point] = await recorder.points('gen_ai.client.operation.time_to_first_chunk');
  expect(point).toMatchObject({ attributes: ofModel, count: 1 });
  expect(point!.sum).toBeGreaterThan(0.001);
});

test('how many tool calls there were, by tool and by what became of them', async () => {
  const { client } = await startWith([
    {
      toolCalls: [
        toolCall('getWeather', { city: 'Paris' }),
        toolCall('getWeather', { city: 'Rome' }),
        toolCall('getWeather', { city: 'Atlantis' }),
        toolCall('getWeather', {}),
        toolCall('teleport'),
        toolCall('transmogrify'),
      ],
    },
    'Fine.',
  ]);

  await client.prompt('Hello').call().content();

  const known = { 'gen_ai.tool.name': 'getWeather' };
  const expected = [
    [{ ...known, 'nestor.tool.call.outcome': 'ok' }, 2],
    [{ ...known, 'nestor.tool.call.outcome': 'error', 'error.type': 'RangeError' }, 1],
    [{ ...known, 'nestor.tool.call.outcome': 'invalid_arguments', 'error.type': 'ToolInputException' }, 1],
    // Names that models make up are one series, however many there are.
    [{ 'gen_ai.tool.name': '_OTHER', 'nestor.tool.call.outcome': 'unknown_tool', 'error.type': 'unknown_tool' }, 2],
  ] as const;
  const calls = await recorder.points('nestor.tool.calls');
  expect(calls).toHaveLength(expected.length);
  for (const [attributes, sum] of expected) expect(calls).toContainEqual({ attributes, count: 1, sum });
  const durations = await recorder.points('nestor.tool.call.duration');
  expect(durations.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2]);
});

test('how many rounds a turn takes, and how long a request', async () => {
  const asking = { toolCalls: [toolCall('getWeather', { city: 'Paris' })] };
  const { client } = await startWith([asking, asking, 'Fine.', 'Hello.']);

  await client.prompt('Hello').call().content();
  await lastValueFrom(client.prompt('Hello').stream().content());

  expect(await recorder.points('nestor.turn.rounds')).toEqual([
    { attributes: { 'nestor.turn.status': 'completed' }, count: 2, sum: 4 },
  ]);
  const durations = await recorder.points('nestor.chat_client.duration');
  expect(durations.map(({ attributes, count }) => [attributes['nestor.stream'], count])).toEqual([
    [false, 1],
    [true, 1],
  ]);
});

test('no rounds of a tool that is called without a model', async () => {
  const { app } = await startWith([]);
  const tool = app.get(ToolRegistry).get('getWeather')!.callback;

  await app
    .get(ToolCallers)
    .of('button')
    .call({ tool, arguments: { city: 'Paris' } });

  expect(await recorder.points('nestor.tool.calls')).toMatchObject([{ sum: 1 }]);
  expect(await recorder.points('nestor.turn.rounds')).toEqual([]);
});

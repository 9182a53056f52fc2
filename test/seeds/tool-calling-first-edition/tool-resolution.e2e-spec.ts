// Page "Tool Calling" (first edition), section "Tool Resolution"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClientBuilder,
  DefaultToolCallingManager,
  DelegatingToolCallbackResolver,
  Prompt,
  ProviderToolCallbackResolver,
  StaticToolCallbackResolver,
  ToolCallbackResolver,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { offeredTools, startApplication } from '../../nest/application.js';
import { namedTool, QUESTION, WEATHER, weatherScript, WeatherTools } from './weather.js';

const forecast = namedTool('forecast', 'Rain tomorrow');
const askForForecast = [{ toolCalls: [toolCall('forecast')] }, 'It will rain.'];

describe('the name of a tool', () => {
  it('is looked up by default among the functions and the ToolCallbacks that the application provides', async () => {
    const { app, client, model } = await startApplication(
      { imports: [WeatherTools], providers: [{ provide: 'forecast', useValue: forecast }] },
      [
        { toolCalls: [toolCall('currentWeather', { location: 'Copenhagen', unit: 'C' }), toolCall('forecast')] },
        'Warm now, rain tomorrow.',
      ],
    );
    await client.prompt(QUESTION).tools('currentWeather', 'forecast').call().content();
    expect(offeredTools(model)).toEqual(['currentWeather', 'forecast']);
    expect(model.toolResponses).toEqual([WEATHER, 'Rain tomorrow']);
    const resolver = app.get(ToolCallbackResolver);
    expect((await resolver.resolve('forecast'))?.toolDefinition.name).toBe('forecast');
    expect(await resolver.resolve('horoscope')).toBeUndefined();
  });

  it('is looked up by the resolver that the application provides instead', async () => {
    const { client, model } = await startApplication({}, askForForecast, {
      providers: [
        {
          provide: ToolCallbackResolver,
          useFactory: () => {
            const staticToolCallbackResolver = new StaticToolCallbackResolver([forecast]);
            return new DelegatingToolCallbackResolver([staticToolCallbackResolver]);
          },
        },
      ],
    });
    expect(await client.prompt('And tomorrow?').tools('forecast').call().content()).toBe('It will rain.');
    expect(model.toolResponses).toEqual(['Rain tomorrow']);
    await expect(client.prompt('Why?').tools('horoscope').call().content()).rejects.toThrow("Unknown tool 'horoscope'");
  });

  it('is looked up by a resolver that is made of all tools of the application', async () => {
    const { app } = await startApplication(
      { imports: [WeatherTools], providers: [{ provide: 'forecast', useValue: forecast }] },
      [],
      {
        providers: [
          {
            provide: ToolCallbackResolver,
            inject: [ToolRegistry],
            useFactory: ({ callbacks: toolCallbacks }: ToolRegistry) => {
              const staticToolCallbackResolver = new StaticToolCallbackResolver(toolCallbacks);
              return new DelegatingToolCallbackResolver([staticToolCallbackResolver]);
            },
          },
        ],
      },
    );
    const resolver = app.get(ToolCallbackResolver);
    expect(resolver).toBeInstanceOf(DelegatingToolCallbackResolver);
    expect(await (await resolver.resolve('forecast'))?.call('{}')).toBe('Rain tomorrow');
    const currentWeather = await resolver.resolve('currentWeather');
    expect(await currentWeather?.call('{"location":"Copenhagen","unit":"C"}')).toBe(WEATHER);
  });

  it('is looked up in one resolver after the other: those of the application, then those of a list', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['Hello.', ...weatherScript()], {
      providers: [
        {
          provide: ToolCallbackResolver,
          inject: [ToolRegistry],
          useFactory: (registry: ToolRegistry) =>
            new DelegatingToolCallbackResolver([
              new ProviderToolCallbackResolver(registry),
              new StaticToolCallbackResolver([namedTool('currentWeather', 'never this one'), forecast]),
            ]),
        },
      ],
    });
    await client.prompt(QUESTION).tools('currentWeather', 'forecast').call().content();
    expect(offeredTools(model)).toEqual(['currentWeather', 'forecast']);
    await client.prompt(QUESTION).tools('currentWeather').call().content();
    expect(model.toolResponses).toEqual([WEATHER]);
  });

  it('may be looked up anywhere, at the moment of the request', async () => {
    class Remote extends ToolCallbackResolver {
      readonly asked: string[] = [];
      async resolve(toolName: string) {
        this.asked.push(toolName);
        return namedTool(toolName, 'from far away');
      }
    }
    const resolver = new Remote();
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('anything')] }, 'Done.']);
    const client = ChatClientBuilder.in({ toolCallbackResolver: resolver }, model).build();
    const request = client.prompt('Go').tools('anything');
    expect(resolver.asked).toEqual([]);
    await request.call().content();
    expect(resolver.asked).toEqual(['anything']);
    expect(model.toolResponses).toEqual(['from far away']);
  });
});

describe('a manager that is given a resolver', () => {
  const toolCallbackResolver = new StaticToolCallbackResolver([forecast]);
  const prompt = new Prompt('And tomorrow?', { toolCallbacks: [] });

  it.each([
    ['runs a tool that the request does not bring, when that is allowed', true, 'Rain tomorrow'],
    ['does not, unless it is allowed', false, expect.stringContaining("Unknown tool 'forecast'")],
  ])('%s', async (_name, resolutionFallbackEnabled, responseData) => {
    const manager = new DefaultToolCallingManager({ toolCallbackResolver, resolutionFallbackEnabled });
    const response = await new ScriptedChatModel(askForForecast).call(prompt);
    const { conversationHistory } = await manager.executeToolCalls(prompt, response);
    expect(conversationHistory.at(-1)).toMatchObject({ responses: [{ name: 'forecast', responseData }] });
  });
});

// Page "Tool Calling", section "Functions as Tools / ToolCallback Beans"
import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module } from '@nestjs/common';
import { ChatClient, ChatModel, FunctionToolCallback, type ToolCallback, ToolCallbackResolver } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { offeredTools, startApplication } from '../../nest/application.js';
import { WeatherRequest, WeatherService } from './weather-service.js';

const CURRENT_WEATHER = 'CURRENT_WEATHER';

const currentWeather = {
  provide: CURRENT_WEATHER,
  inject: [WeatherService],
  useFactory: (weatherService: WeatherService): ToolCallback =>
    FunctionToolCallback.builder<WeatherRequest>()
      .name('currentWeather')
      .toolFunction((request) => weatherService.getWeather(request))
      .description('Get the weather in location')
      .inputType(WeatherRequest)
      .build(),
};

@Module({ providers: [WeatherService, currentWeather], exports: [currentWeather] })
class WeatherTools {}

@Injectable()
class Forecaster {
  constructor(
    private readonly chatModel: ChatModel,
    @Inject(CURRENT_WEATHER) private readonly currentWeather: ToolCallback,
  ) {}

  ask(question: string) {
    return ChatClient.create(this.chatModel).prompt(question).tools(this.currentWeather).call().content();
  }

  askWithDefault(question: string) {
    const chatClient = ChatClient.builder(this.chatModel).defaultTools(this.currentWeather).build();
    return chatClient.prompt(question).call().content();
  }
}

/** Beside the weather, so that a request that names one tool can be told from one that has them all. */
const other = { provide: 'OTHER', useValue: new FunctionToolCallback({ name: 'other', toolFunction: () => 'other' }) };

const question = "What's the weather like in Copenhagen?";

const start = async () => {
  const scene = await startApplication({ imports: [WeatherTools], providers: [Forecaster, other] }, [
    { toolCalls: [toolCall('currentWeather', { location: 'Copenhagen', unit: 'C' })] },
    'It is 30 degrees in Copenhagen.',
  ]);
  return { ...scene, forecaster: scene.app.get(Forecaster) };
};

describe('a tool that is a provider', () => {
  it.each([
    ['injected and given to a request', ({ forecaster }) => forecaster.ask(question)],
    ['injected and made the default of a client', ({ forecaster }) => forecaster.askWithDefault(question)],
    ['asked for by its name', ({ client }) => client.prompt(question).tools('currentWeather').call().content()],
  ] as [string, (scene: Awaited<ReturnType<typeof start>>) => Promise<string>][])('answers when %s', async (_, ask) => {
    const scene = await start();
    expect(await ask(scene)).toBe('It is 30 degrees in Copenhagen.');
    expect(offeredTools(scene.model)).toEqual(['currentWeather']);
    expect(scene.model.toolResponses).toEqual(['{"temp":30,"unit":"C"}']);
    scene.model.assertDone();
  });

  it('is found by itself, and can be resolved by its name', async () => {
    const { app, client, model } = await start();
    await client.prompt(question).call().content();
    expect(offeredTools(model).toSorted()).toEqual(['currentWeather', 'other']);
    expect(model.toolResponses).toEqual(['{"temp":30,"unit":"C"}']);
    const resolved = await app.get(ToolCallbackResolver).resolve('currentWeather');
    expect(resolved?.toolDefinition.description).toBe('Get the weather in location');
  });
});

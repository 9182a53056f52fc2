// Page "Tool Calling", section "Functions as Tools / Programmatic Specification / Adding Default Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';
import { WeatherRequest, WeatherService } from './weather-service.js';

const weatherTool = (name: string, weatherService = new WeatherService()) =>
  new FunctionToolCallback({
    name,
    description: 'Get the weather in location',
    inputType: WeatherRequest,
    toolFunction: (request) => weatherService.getWeather(request),
  });

const input = { location: 'Copenhagen', unit: 'C' };

describe('a FunctionToolCallback as the default tool of a client', () => {
  it('is run for every request, of every client of the builder', async () => {
    const weatherService = new WeatherService();
    const script = [{ toolCalls: [toolCall('currentWeather', input)] }, 'It is 30 degrees.'];
    const chatModel = new ScriptedChatModel([...script, ...script]);
    const builder = ChatClient.builder(chatModel).defaultTools(weatherTool('currentWeather', weatherService));
    for (const chatClient of [builder.build(), builder.build()]) {
      expect(await chatClient.prompt('How is Copenhagen?').call().content()).toBe('It is 30 degrees.');
    }
    expect(weatherService.requests).toEqual([input, input]);
    chatModel.assertDone();
  });

  it('gives way to the tools of a request', async () => {
    const [ofClient, ofRequest] = [new WeatherService(), new WeatherService()];
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('forecast', input), toolCall('currentWeather', input)] },
      'It will be 30 degrees.',
    ]);
    const chatClient = ChatClient.builder(chatModel).defaultTools(weatherTool('currentWeather', ofClient)).build();
    await chatClient.prompt('How will it be?').tools(weatherTool('forecast', ofRequest)).call().content();
    expect(offeredTools(chatModel)).toEqual(['forecast']);
    expect(ofRequest.requests).toEqual([input]);
    expect(ofClient.requests).toEqual([]);
  });
});

// Page "Tool Calling", section "Functions as Tools / Programmatic Specification / Adding Default Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback, ToolCallingChatOptions } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';
import { WeatherRequest, WeatherService } from './weather-service.js';

const weatherTool = (name: string, weatherService: WeatherService) =>
  FunctionToolCallback.builder<WeatherRequest>()
    .name(name)
    .toolFunction((request) => weatherService.getWeather(request))
    .inputType(WeatherRequest)
    .build();

describe('a FunctionToolCallback as the default tool of a model', () => {
  it('is run in every request, until a request brings tools of its own', async () => {
    const weatherService = new WeatherService();
    const input = { location: 'Copenhagen', unit: 'C' };
    const chatModel = new ScriptedChatModel(
      [{ toolCalls: [toolCall('currentWeather', input)] }, 'It is 30 degrees.', 'Nothing asked.'],
      ToolCallingChatOptions.builder()
        .toolCallbacks([weatherTool('currentWeather', weatherService)])
        .build(),
    );
    const chatClient = ChatClient.create(chatModel);

    expect(await chatClient.prompt('How is Copenhagen?').call().content()).toBe('It is 30 degrees.');
    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
    expect(weatherService.requests).toEqual([input]);

    await chatClient.prompt('How will it be?').tools(weatherTool('forecast', weatherService)).call().content();
    expect(offeredTools(chatModel)).toEqual(['forecast']);
    chatModel.assertDone();
  });
});

// Page "Tool Calling", section "Functions as Tools / Programmatic Specification / Adding Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback, type ToolCallback } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';
import { WeatherRequest, WeatherService } from './weather-service.js';

const weatherService = new WeatherService();
const toolCallback: ToolCallback = FunctionToolCallback.builder<WeatherRequest>()
  .name('currentWeather')
  .toolFunction((request) => weatherService.getWeather(request))
  .description('Get the weather in location')
  .inputType(WeatherRequest)
  .build();

describe('a FunctionToolCallback given to a request', () => {
  it('is asked for the weather, for this request only', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('currentWeather', { location: 'Copenhagen', unit: 'C' })] },
      'It is 30 degrees in Copenhagen.',
      'I do not know.',
    ]);
    const chatClient = ChatClient.create(chatModel);

    const response = await chatClient
      .prompt("What's the weather like in Copenhagen?")
      .tools(toolCallback)
      .call()
      .content();
    expect(response).toBe('It is 30 degrees in Copenhagen.');
    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
    expect(chatModel.toolResponses).toEqual(['{"temp":30,"unit":"C"}']);

    await chatClient.prompt("What's the weather like in Copenhagen?").call().content();
    expect(offeredTools(chatModel)).toEqual([]);
    expect(weatherService.requests).toEqual([{ location: 'Copenhagen', unit: 'C' }]);
  });
});

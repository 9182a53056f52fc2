// Page "Tool Calling", section "Functions as Tools / Programmatic Specification / Adding Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import { FunctionToolCallback, offeredToolDefinitions, Prompt, ToolCallingChatOptions } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { WeatherRequest, WeatherService } from './weather-service.js';

describe('a model that is asked directly, with a FunctionToolCallback', () => {
  it('is told of the tool, and what it wants to call is left to the caller', async () => {
    const weatherService = new WeatherService();
    const toolCallback = new FunctionToolCallback({
      name: 'currentWeather',
      description: 'Get the weather in location',
      inputType: WeatherRequest,
      toolFunction: (request) => weatherService.getWeather(request),
    });
    const input = { location: 'Copenhagen', unit: 'C' };
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('currentWeather', input)] }]);
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks([toolCallback]).build();
    const prompt = new Prompt("What's the weather like in Copenhagen?", chatOptions);

    const response = await chatModel.call(prompt);

    expect(offeredToolDefinitions(chatModel.lastPrompt!.options)).toEqual([toolCallback.toolDefinition]);
    const [call] = response.result!.output.toolCalls;
    expect(call).toMatchObject({ name: 'currentWeather', arguments: JSON.stringify(input) });
    expect(weatherService.requests).toEqual([]);
  });
});

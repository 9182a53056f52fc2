// Page "Tool Calling", section "Methods as Tools / Declarative Specification / Adding Default Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, Tool, ToolCallbacks, ToolCallingChatOptions } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    return '2015-10-20T10:00:00Z';
  }
}

class WeatherTools {
  @Tool({ description: 'Get the weather in location' })
  currentWeather(location: string): string {
    return `Sunny in ${location}`;
  }
}

/** A model that is made with the methods of an instance as its tools. */
function modelWithTools(script: readonly ScriptEntry[]): ScriptedChatModel {
  const dateTimeTools = ToolCallbacks.from(new DateTimeTools());
  return new ScriptedChatModel(script, ToolCallingChatOptions.builder().toolCallbacks(dateTimeTools).build());
}

describe('the default tools of a model, made of methods', () => {
  it('are offered and run in every request of its clients', async () => {
    const script = [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is 2015-10-21.'];
    const chatModel = modelWithTools([...script, ...script]);
    for (const chatClient of [ChatClient.create(chatModel), ChatClient.create(chatModel)]) {
      expect(await chatClient.prompt('What day is tomorrow?').call().content()).toBe('Tomorrow is 2015-10-21.');
      expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime']);
      expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
    }
    chatModel.assertDone();
  });

  it('are replaced completely by those of a client or a request', async () => {
    const chatModel = modelWithTools(['One', 'Two', 'Three']);
    await ChatClient.create(chatModel).prompt('How is Oslo?').tools(new WeatherTools()).call().content();
    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new WeatherTools())).build();
    await ChatClient.create(chatModel).prompt('How is Oslo?').options(chatOptions).call().content();
    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
    await ChatClient.builder(chatModel).defaultTools(new WeatherTools()).build().prompt('And now?').call().content();
    expect(offeredTools(chatModel)).toEqual(['currentWeather']);
  });
});

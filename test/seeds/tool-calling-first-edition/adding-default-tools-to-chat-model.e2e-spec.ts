// Page "Tool Calling" (first edition), the three sections "Adding Default Tools to ChatModel" of tools given as they are:
// of a class with @Tool, of a MethodToolCallback, of a FunctionToolCallback
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  type ChatOptions,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  type ToolCallback,
  ToolCallbacks,
  ToolCallingChatOptions,
  ToolDefinitions,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';
import { namedTool, WeatherRequest, WeatherService } from './weather.js';

const NOW = '2015-10-20T07:28:00+02:00[Europe/Paris]';

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    return NOW;
  }
}

class PlainDateTimeTools {
  getCurrentDateTime(): string {
    return NOW;
  }
}

const ofMethod = MethodToolCallback.builder()
  .toolDefinition(
    ToolDefinitions.builder(PlainDateTimeTools, 'getCurrentDateTime')
      .description("Get the current date and time in the user's timezone")
      .build(),
  )
  .toolMethod('getCurrentDateTime')
  .toolObject(new PlainDateTimeTools())
  .build();

const ofFunction = FunctionToolCallback.builder<WeatherRequest>()
  .name('currentWeather')
  .description('Get the weather in location')
  .inputType(WeatherRequest)
  .toolFunction((request) => new WeatherService().apply(request))
  .build();

const modelWith = (toolCallbacks: readonly ToolCallback[], ...answers: string[]) =>
  new ScriptedChatModel(answers, ToolCallingChatOptions.builder().toolCallbacks(toolCallbacks).build());

describe('the default tools of a model', () => {
  it.each<[string, readonly ToolCallback[], object, string]>([
    ['of a class with @Tool', ToolCallbacks.from(new DateTimeTools()), {}, NOW],
    ['of a method', [ofMethod], {}, NOW],
    ['of a function', [ofFunction], { location: 'Copenhagen', unit: 'C' }, '{"temp":30,"unit":"C"}'],
  ])('are there, and run, in a request that brings none: %s', async (_name, toolCallbacks, input, result) => {
    const { name } = toolCallbacks[0]!.toolDefinition;
    const model = new ScriptedChatModel(
      [{ toolCalls: [toolCall(name, input)] }, 'Tomorrow is 2015-10-21.'],
      ToolCallingChatOptions.builder().toolCallbacks(toolCallbacks).build(),
    );
    const answer = await ChatClient.create(model).prompt('What day is tomorrow?').call().content();
    expect(answer).toBe('Tomorrow is 2015-10-21.');
    expect(offeredTools(model)).toEqual([name]);
    expect(model.toolResponses).toEqual([result]);
  });

  it('are shared by all clients of the model', async () => {
    const model = modelWith([ofMethod], 'One', 'Two');
    for (const client of [ChatClient.create(model), ChatClient.create(model)]) {
      await client.prompt('Hello').call().content();
      expect(offeredTools(model)).toEqual(['getCurrentDateTime']);
    }
  });

  it('give way altogether to those of a request, and are back in the next one', async () => {
    const model = modelWith([ofMethod, ofFunction], 'One', 'Two', 'Three');
    const client = ChatClient.create(model);
    await client.prompt('Hello').tools(namedTool('own')).call().content();
    expect(offeredTools(model)).toEqual(['own']);
    const options: ChatOptions = { toolCallbacks: [namedTool('other')] };
    await client.prompt('Hello').options(options).call().content();
    expect(offeredTools(model)).toEqual(['other']);
    await client.prompt('Hello').call().content();
    expect(offeredTools(model)).toEqual(['getCurrentDateTime', 'currentWeather']);
  });

  it('are out of reach for a model that asks for one when the request brings others', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('getCurrentDateTime')] }, 'I cannot know.'], {
      toolCallbacks: [ofMethod],
    });
    await ChatClient.create(model).prompt('What day is it?').tools(namedTool('own')).call().content();
    expect(model.toolResponses).toEqual([expect.stringContaining("Unknown tool 'getCurrentDateTime'")]);
  });

  it('are merged by the same rule for whoever calls a model himself', () => {
    const own = [namedTool('own')];
    const { mergeToolCallbacks } = ToolCallingChatOptions;
    expect(mergeToolCallbacks(own, [ofMethod])).toEqual(own);
    expect(mergeToolCallbacks(undefined, [ofMethod])).toEqual([ofMethod]);
    expect(mergeToolCallbacks([], [ofMethod])).toEqual([ofMethod]);
  });
});

// Page "Tool Calling", section "Function Return Direct"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback, ToolMetadata, ToolParam } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';

class WeatherRequest {
  @ToolParam() location!: string;
}

function currentWeather(toolMetadata?: ToolMetadata): FunctionToolCallback<WeatherRequest> {
  return new FunctionToolCallback({
    name: 'currentWeather',
    description: 'Get the weather in location',
    inputType: WeatherRequest,
    toolFunction: ({ location }) => `30 degrees in ${location}`,
    ...(toolMetadata && { toolMetadata }),
  });
}

const weatherCall = () => ({ toolCalls: [toolCall('currentWeather', { location: 'Copenhagen' })] });
const QUESTION = "What's the weather like in Copenhagen?";

describe('a function that returns directly', () => {
  it('answers the user itself: the model is not asked again', async () => {
    const toolMetadata = ToolMetadata.builder().returnDirect(true).build();
    const chatModel = new ScriptedChatModel([weatherCall()]);

    const response = await ChatClient.create(chatModel)
      .prompt(QUESTION)
      .tools(currentWeather(toolMetadata))
      .call()
      .content();

    expect(response).toBe('30 degrees in Copenhagen');
    chatModel.assertDone();
  });

  it('has to be told so: by default, the result goes back to the model', async () => {
    const chatModel = new ScriptedChatModel([weatherCall(), 'It is hot.']);

    const response = await ChatClient.create(chatModel).prompt(QUESTION).tools(currentWeather()).call().content();

    expect(response).toBe('It is hot.');
    expect(chatModel.toolResponses).toEqual(['30 degrees in Copenhagen']);
  });
});

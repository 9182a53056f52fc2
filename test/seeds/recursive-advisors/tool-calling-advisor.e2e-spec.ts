// Page "Recursive Advisors", section "ToolCallingAdvisor"
import { describe, expect, it } from '@jest/globals';
import {
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  DefaultToolCallingManager,
  offeredToolDefinitions,
  Ordered,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    if (city === 'Atlantis') throw new Error('There is no weather in Atlantis');
    return `sunny in ${city}`;
  }
}

class Intercepting extends BaseAdvisor {
  readonly name = 'intercepting';
  override readonly order = Ordered.HIGHEST_PRECEDENCE + 301;
  readonly latest: string[] = [];
  override before(request: ChatClientRequest) {
    const last = request.prompt.messages.at(-1);
    this.latest.push(last?.role === 'tool' ? last.responses.map(({ responseData }) => responseData).join() : 'asked');
    return request;
  }
}

describe('a client with a tool-calling advisor', () => {
  it('loops through the chain until the model needs no more tools, and others may intercept each round', async () => {
    const toolCallingManager = DefaultToolCallingManager.builder()
      .toolExecutionExceptionProcessor({ process: ({ message }) => `Sorry: ${message}` })
      .build();
    const toolCallingAdvisor = ToolCallingAdvisor.builder()
      .toolCallingManager(toolCallingManager)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
      .build();
    const model = new ScriptedChatModel([
      { toolCalls: [toolCall('getWeather', { city: 'Amsterdam' }), toolCall('getWeather', { city: 'Paris' })] },
      { toolCalls: [toolCall('getWeather', { city: 'Atlantis' })] },
      'Sunny, where there is weather.',
    ]);
    const intercepting = new Intercepting();
    const chatClient = ChatClient.builder(model).defaultAdvisors(toolCallingAdvisor, intercepting).build();

    const answer = await chatClient.prompt('How is the weather?').tools(new WeatherTools()).call().content();
    expect(answer).toBe('Sunny, where there is weather.');
    expect(intercepting.latest).toEqual([
      'asked',
      'sunny in Amsterdam,sunny in Paris',
      'Sorry: There is no weather in Atlantis',
    ]);
    expect(model.prompts.map(({ options }) => offeredToolDefinitions(options).map(({ name }) => name))).toEqual([
      ['getWeather'],
      ['getWeather'],
      ['getWeather'],
    ]);
    model.assertDone();
  });
});

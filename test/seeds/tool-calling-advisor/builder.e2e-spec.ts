// Page "ToolCallingAdvisor", section "Builder"
import { describe, expect, it } from '@jest/globals';
import {
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  DefaultToolCallingManager,
  Ordered,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    return `sunny in ${city}`;
  }
}

class CountingManager extends DefaultToolCallingManager {
  batches = 0;
  override executeToolCalls(...args: Parameters<DefaultToolCallingManager['executeToolCalls']>) {
    this.batches++;
    return super.executeToolCalls(...args);
  }
}

class Passes extends BaseAdvisor {
  readonly name = 'passes';
  count = 0;
  constructor(override readonly order: number) {
    super();
  }
  override before(request: ChatClientRequest) {
    this.count++;
    return request;
  }
}

const script = () => [
  { toolCalls: [toolCall('getWeather', { city: 'Amsterdam' })] },
  { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
  'Sunny in both.',
];

describe('a client with a tool-calling advisor of its own', () => {
  it('runs the tools with the manager that the advisor was built with', async () => {
    const toolCallingManager = new CountingManager();
    const toolCallingAdvisor = ToolCallingAdvisor.builder()
      .toolCallingManager(toolCallingManager)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
      .build();
    const model = new ScriptedChatModel(script());
    const chatClient = ChatClient.builder(model).defaultAdvisors(toolCallingAdvisor).build();

    const answer = await chatClient.prompt('What is the weather?').tools(new WeatherTools()).call().content();
    expect(answer).toBe('Sunny in both.');
    expect(toolCallingManager.batches).toBe(2);
    expect(model.toolResponses).toEqual(['sunny in Amsterdam', 'sunny in Paris']);
  });

  it('repeats what stands behind the order it was given, and nothing before it', async () => {
    const order = Ordered.HIGHEST_PRECEDENCE + 700;
    const [outside, inside] = [new Passes(order - 100), new Passes(order + 100)];
    const chatClient = ChatClient.builder(new ScriptedChatModel(script()))
      .defaultAdvisors(inside, outside, ToolCallingAdvisor.builder().advisorOrder(order).build())
      .build();
    await chatClient.prompt('What is the weather?').tools(new WeatherTools()).call().content();
    expect(outside.count).toBe(1);
    expect(inside.count).toBe(3);
  });

  it('needs no settings: order, manager and eligibility have defaults', async () => {
    const advisor = ToolCallingAdvisor.builder().build();
    expect(advisor.order).toBe(Ordered.HIGHEST_PRECEDENCE + 300);
    expect(advisor.order).toBe(ToolCallingAdvisor.DEFAULT_ORDER);
    const chatClient = ChatClient.builder(new ScriptedChatModel(script())).defaultAdvisors(advisor).build();
    expect(await chatClient.prompt('Weather?').tools(new WeatherTools()).call().content()).toBe('Sunny in both.');
  });

  it.each([Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE])('cannot have the order %d', (order) => {
    expect(() => ToolCallingAdvisor.builder().advisorOrder(order).build()).toThrow(
      /between HIGHEST_PRECEDENCE and LOWEST_PRECEDENCE/,
    );
  });
});

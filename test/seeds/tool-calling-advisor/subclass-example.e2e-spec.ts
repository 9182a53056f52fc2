// Page "ToolCallingAdvisor", section "Subclass Example"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  type ChatClientResponse,
  Ordered,
  Tool,
  ToolCallingAdvisor,
  type ToolCallingAdvisorOptions,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class AuditService {
  readonly intents: string[] = [];
  recordIntent(name: string, args: string) {
    this.intents.push(`${name} ${args}`);
  }
}

interface MyAuditingOptions extends ToolCallingAdvisorOptions {
  audit: AuditService;
}

class MyAuditingToolCallingAdvisor extends ToolCallingAdvisor {
  readonly #audit: AuditService;

  constructor({ audit, ...options }: MyAuditingOptions) {
    super(options);
    this.#audit = audit;
  }

  protected override doAfterCall(response: ChatClientResponse): ChatClientResponse {
    for (const { name, arguments: args } of response.chatResponse?.result?.output.toolCalls ?? []) {
      this.#audit.recordIntent(name, args);
    }
    return response;
  }
}

class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    return `sunny in ${city}`;
  }
}

describe('an auditing subclass', () => {
  it('is told what the model wants to do, and the rest of the loop is inherited', async () => {
    const audit = new AuditService();
    const order = Ordered.HIGHEST_PRECEDENCE + 310;
    const advisor = MyAuditingToolCallingAdvisor.builder().advisorOrder(order).audit(audit).maxRounds(9).build();
    expect(advisor.order).toEqual(order);
    expect(advisor).toBeInstanceOf(MyAuditingToolCallingAdvisor);

    const model = new ScriptedChatModel([
      { toolCalls: [toolCall('getWeather', { city: 'Amsterdam' }), toolCall('getWeather', { city: 'Paris' })] },
      'Sunny in both.',
    ]);
    const chatClient = ChatClient.builder(model).defaultAdvisors(advisor).build();
    const answer = await chatClient.prompt('Weather?').tools(new WeatherTools()).call().content();
    expect(answer).toBe('Sunny in both.');
    expect(audit.intents).toEqual(['getWeather {"city":"Amsterdam"}', 'getWeather {"city":"Paris"}']);
    expect(model.toolResponses).toEqual(['sunny in Amsterdam', 'sunny in Paris']);
  });
});

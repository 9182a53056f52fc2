// Page "Recursive Advisors", section "Conversation History Management"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  ChatMemory,
  DefaultToolCallingManager,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
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

describe('memory inside the tool loop', () => {
  it('gives the model the history in every round, and stores the tool calls and their responses', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const toolCallingAdvisor = ToolCallingAdvisor.builder()
      .toolCallingManager(new DefaultToolCallingManager())
      .conversationHistoryEnabled(false) // memory inside the loop handles history
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
      .build();
    const chatMemoryAdvisor = MessageChatMemoryAdvisor.builder(chatMemory)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 400) // inside (after) the loop
      .build();
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('getWeather', { city: 'Paris' })] }, 'Sunny.']);
    const chatClient = ChatClient.builder(model).defaultAdvisors(chatMemoryAdvisor, toolCallingAdvisor).build();
    const answer = await chatClient
      .prompt('How is the weather in Paris?')
      .tools(new WeatherTools())
      .advisors((spec) => spec.param(ChatMemory.CONVERSATION_ID, 'c1'))
      .call()
      .content();
    expect(answer).toBe('Sunny.');
    expect(model.prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
    ]);
    expect(model.toolResponses).toEqual(['sunny in Paris']);
    expect((await chatMemory.get('c1')).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });
});

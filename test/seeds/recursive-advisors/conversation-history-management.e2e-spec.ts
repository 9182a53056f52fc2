// Page "Recursive Advisors", section "Conversation History Management"
import { describe, expect, it } from '@jest/globals';
import {
  Advisor,
  ChatClient,
  ChatMemory,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
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

class ObservedMemory extends MessageWindowChatMemory {
  readonly log: string[] = [];
  override get(conversationId: string) {
    this.log.push('loaded');
    return super.get(conversationId);
  }
  override add(...args: Parameters<MessageWindowChatMemory['add']>) {
    this.log.push('stored');
    return super.add(...args);
  }
}

function scene() {
  const chatMemory = new ObservedMemory();
  const chatMemoryAdvisor = MessageChatMemoryAdvisor.builder(chatMemory).build();
  const model = new ScriptedChatModel([
    { text: 'One moment. ', toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
    'It is sunny in Paris.',
    'I said that it is sunny.',
  ]);
  const chatClient = ChatClient.builder(model)
    .defaultTools(new WeatherTools())
    .defaultAdvisors(chatMemoryAdvisor)
    .build();
  const ask = (question: string, id = 'c1') =>
    chatClient.prompt(question).advisors((spec) => spec.param(ChatMemory.CONVERSATION_ID, id));
  return { chatMemory, chatMemoryAdvisor, model, ask };
}

const FIRST = [
  { role: 'user', text: 'How is the weather in Paris?' },
  { role: 'assistant', text: 'It is sunny in Paris.', toolCalls: [] },
];

describe('memory in its default place, outside the tool loop', () => {
  it('stands before the loop', () => {
    const { order } = scene().chatMemoryAdvisor;
    expect(order).toBe(Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER);
    expect(order).toBeLessThan(ToolCallingAdvisor.DEFAULT_ORDER);
  });

  it('is loaded once and stores question and answer once, while the loop keeps its own history', async () => {
    const { chatMemory, model, ask } = scene();
    await ask('How is the weather in Paris?').call().content();
    expect(model.prompts[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(chatMemory.log).toEqual(['loaded', 'stored']);
    expect(await chatMemory.get('c1')).toMatchObject(FIRST);
    expect(await chatMemory.get('c1')).toHaveLength(2);
  });

  it('gives the next question the exchange before it, without its tool calls', async () => {
    const { model, ask } = scene();
    await ask('How is the weather in Paris?').call().content();
    expect(await ask('What did you say?').call().content()).toBe('I said that it is sunny.');
    expect(model.lastPrompt?.messages).toMatchObject([...FIRST, { role: 'user', text: 'What did you say?' }]);
    expect(model.lastPrompt?.messages).toHaveLength(3);
  });

  it('keeps conversations apart', async () => {
    const { model, ask } = scene();
    await ask('How is the weather in Paris?').call().content();
    await ask('What did you say?', 'c2').call().content();
    expect(model.lastPrompt?.messages).toMatchObject([{ role: 'user', text: 'What did you say?' }]);
    expect(model.lastPrompt?.messages).toHaveLength(1);
  });
});

// Page "Tool Calling", section "Conversation History Management"
import { describe, expect, it } from '@jest/globals';
import {
  Advisor,
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

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    return '2015-10-20T10:15:30+02:00';
  }
}

const script = () => [
  { toolCalls: [toolCall('getCurrentDateTime')] },
  'Tomorrow is 2015-10-21.',
  'You asked for the day.',
];

const turn = [
  { role: 'user', text: 'What day is tomorrow?' },
  { role: 'assistant', toolCalls: [{ name: 'getCurrentDateTime' }] },
  { role: 'tool', responses: [{ responseData: '2015-10-20T10:15:30+02:00' }] },
  { role: 'assistant', text: 'Tomorrow is 2015-10-21.' },
];
const next = { role: 'user', text: 'What did I ask?' };

async function converse(chatClient: ChatClient): Promise<void> {
  for (const text of ['What day is tomorrow?', 'What did I ask?']) {
    await chatClient
      .prompt(text)
      .tools(new DateTimeTools())
      .advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, 'ada'))
      .call()
      .content();
  }
}

describe('the history of a conversation with tools', () => {
  it('is kept in the loop by default, and the memory keeps what was asked and answered', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const chatMemoryAdvisor = MessageChatMemoryAdvisor.builder(chatMemory).build();
    const chatModel = new ScriptedChatModel(script());
    const chatClient = ChatClient.builder(chatModel).defaultAdvisors(chatMemoryAdvisor).build();

    await converse(chatClient);

    expect(chatMemoryAdvisor.order).toBe(Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER);
    expect(chatMemoryAdvisor.order).toBeLessThan(ToolCallingAdvisor.DEFAULT_ORDER);
    const sent = chatModel.prompts.map(({ messages }) => messages);
    expect(sent).toMatchObject([turn.slice(0, 1), turn.slice(0, 3), [turn[0], turn[3], next]]);
    const known = await chatMemory.get('ada');
    expect(known).toMatchObject([turn[0], turn[3], next, { text: 'You asked for the day.' }]);
    expect(known.some((message) => message.role === 'assistant' && message.toolCalls.length > 0)).toBe(false);
  });

  it('is left to a memory inside the loop, which keeps the tool calls too', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const toolCallingAdvisor = ToolCallingAdvisor.builder()
      .toolCallingManager(new DefaultToolCallingManager())
      .conversationHistoryEnabled(false)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
      .build();
    const chatMemoryAdvisor = MessageChatMemoryAdvisor.builder(chatMemory)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 400)
      .build();
    const chatModel = new ScriptedChatModel(script());
    const chatClient = ChatClient.builder(chatModel).defaultAdvisors(chatMemoryAdvisor, toolCallingAdvisor).build();

    await converse(chatClient);

    const sent = chatModel.prompts.map(({ messages }) => messages);
    expect(sent).toMatchObject([turn.slice(0, 1), turn.slice(0, 3), [...turn, next]]);
    expect(await chatMemory.get('ada')).toMatchObject([...turn, next, { text: 'You asked for the day.' }]);
  });
});

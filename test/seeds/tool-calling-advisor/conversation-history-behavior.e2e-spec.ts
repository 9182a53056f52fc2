// Page "ToolCallingAdvisor", section "Conversation History Behavior"
import { describe, expect, it } from '@jest/globals';
import {
  type Advisor,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  ChatMemory,
  type Message,
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

/** Stands between the loop and an inner memory: sees what the loop itself sends. */
class SentByLoop extends BaseAdvisor {
  readonly name = 'sent by loop';
  override readonly order = Ordered.HIGHEST_PRECEDENCE + 350;
  readonly rounds: string[][] = [];
  override before(request: ChatClientRequest) {
    this.rounds.push(roles(request.prompt.messages));
    return request;
  }
}

const roles = (messages: readonly Message[] = []) => messages.map(({ role }) => role);
const disabled = () =>
  ToolCallingAdvisor.builder()
    .conversationHistoryEnabled(false)
    .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
    .build();

const disabledByShortcut = () =>
  ToolCallingAdvisor.builder()
    .disableInternalConversationHistory()
    .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 300)
    .build();

async function ask(...advisors: Advisor[]) {
  const sent = new SentByLoop();
  const model = new ScriptedChatModel([
    { toolCalls: [toolCall('getWeather', { city: 'Amsterdam' })] },
    { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
    'Sunny in both.',
    'I said: sunny.',
  ]);
  const chatClient = ChatClient.builder(model)
    .defaultSystem('Be brief.')
    .defaultTools(new WeatherTools())
    .defaultAdvisors(...advisors, sent, (spec) => spec.param(ChatMemory.CONVERSATION_ID, 'c1'))
    .build();
  const answer = await chatClient.prompt('What is the weather in Amsterdam and Paris?').call().content();
  expect(answer).toBe('Sunny in both.');
  return { model, chatClient, sent };
}

const WHOLE_TURN = ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'];

describe('the model', () => {
  it('is sent the complete history in every round, while memory outside sees question and answer only', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const { model, sent } = await ask(MessageChatMemoryAdvisor.builder(chatMemory).build());
    const rounds = [
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
    ];
    expect(model.prompts.map(({ messages }) => roles(messages))).toEqual(rounds);
    expect(sent.rounds).toEqual(rounds);
    expect(roles(await chatMemory.get('c1'))).toEqual(['user', 'assistant']);
  });

  it.each([
    ['that was turned off', disabled],
    ['that was turned off with the shortcut', disabledByShortcut],
    ['that is there by default and notices the memory', undefined],
  ])('has its history from memory inside the loop, with the history of a loop %s', async (_name, loop) => {
    const chatMemory = new MessageWindowChatMemory();
    const chatMemoryAdvisor = MessageChatMemoryAdvisor.builder(chatMemory)
      .advisorOrder(Ordered.HIGHEST_PRECEDENCE + 400) // inside the loop
      .build();
    const { model, chatClient, sent } = await ask(chatMemoryAdvisor, ...(loop ? [loop()] : []));
    expect(sent.rounds).toEqual([
      ['system', 'user'],
      ['system', 'tool'],
      ['system', 'tool'],
    ]);
    expect(roles(model.lastPrompt?.messages)).toEqual(['system', ...WHOLE_TURN.slice(0, -1)]);
    expect(roles(await chatMemory.get('c1'))).toEqual(WHOLE_TURN);

    await chatClient.prompt('What did you say?').call().content();
    expect(roles(model.lastPrompt?.messages)).toEqual(['system', ...WHOLE_TURN, 'user']);
  });

  it('is sent the instructions and the latest message only, when history is off and nobody adds it', async () => {
    const { model } = await ask(disabled());
    expect(model.prompts.slice(0, 3).map(({ messages }) => roles(messages))).toEqual([
      ['system', 'user'],
      ['system', 'tool'],
      ['system', 'tool'],
    ]);
    expect(model.toolResponses).toEqual(['sunny in Paris']);
  });
});

// Page "Tool Calling", section "User-Controlled Tool Execution", "With ChatClient"
import { describe, expect, it } from '@jest/globals';
import {
  AdvisorParams,
  ChatClient,
  ChatClientMessageAggregator,
  type ChatClientResponse,
  DefaultToolCallingManager,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, tap } from 'rxjs';

class WeatherTools {
  readonly asked: string[] = [];

  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    this.asked.push(city);
    return `15 degrees in ${city}`;
  }
}

const question = 'What is the weather in Amsterdam and Paris?';
const script = () => [
  {
    text: 'Let me look. ',
    toolCalls: [toolCall('getWeather', { city: 'Amsterdam' }), toolCall('getWeather', { city: 'Paris' })],
  },
  { toolCalls: [toolCall('getWeather', { city: 'Brussels' })] },
  'It is 15 degrees everywhere.',
];

const roles = (model: ScriptedChatModel) => model.prompts.map(({ messages }) => messages.map(({ role }) => role));
const ROUNDS = [['user'], ['user', 'assistant', 'tool'], ['user', 'assistant', 'tool', 'assistant', 'tool']];

describe('a tool loop of one’s own around a ChatClient', () => {
  it('asks for the weather of both cities, and stops between the rounds', async () => {
    const chatModel = new ScriptedChatModel(script());
    const chatClient = ChatClient.create(chatModel);
    const toolCallingManager = DefaultToolCallingManager.builder().build();
    const weatherTools = new WeatherTools();
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(weatherTools)).build();
    const askedBefore: string[][] = [];

    let response = await chatClient
      .prompt()
      .user(question)
      .options(chatOptions)
      .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .call()
      .chatClientResponse();
    let prompt = new Prompt([new UserMessage(question)], chatOptions);
    while (response.chatResponse?.hasToolCalls()) {
      askedBefore.push([...weatherTools.asked]);
      const result = await toolCallingManager.executeToolCalls(prompt, response.chatResponse);
      prompt = new Prompt(result.conversationHistory, chatOptions);
      response = await chatClient
        .prompt()
        .messages(result.conversationHistory)
        .options(chatOptions)
        .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
        .call()
        .chatClientResponse();
    }

    expect(response.chatResponse?.result?.output.text).toBe('It is 15 degrees everywhere.');
    expect(askedBefore).toEqual([[], ['Amsterdam', 'Paris']]);
    expect(roles(chatModel)).toEqual(ROUNDS);
    expect(chatModel.toolResponses).toEqual([
      '15 degrees in Amsterdam',
      '15 degrees in Paris',
      '15 degrees in Brussels',
    ]);
  });

  it('streams each round to the user while it is put together', async () => {
    const chatModel = new ScriptedChatModel(script());
    const chatClient = ChatClient.create(chatModel);
    const toolCallingManager = DefaultToolCallingManager.builder().build();
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new WeatherTools())).build();
    const forwarded: string[] = [];

    const ask = async (prompt: Prompt): Promise<ChatClientResponse> => {
      let whole: ChatClientResponse | undefined;
      const chunks = chatClient
        .prompt()
        .messages(prompt.messages)
        .options(chatOptions)
        .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
        .stream()
        .chatClientResponse();
      await lastValueFrom(
        new ChatClientMessageAggregator()
          .aggregateChatClientResponse(chunks, (response) => (whole = response))
          .pipe(tap(({ chatResponse }) => chatResponse?.text && forwarded.push(chatResponse.text))),
      );
      return whole!;
    };

    let prompt = new Prompt([new UserMessage(question)], chatOptions);
    let response = await ask(prompt);
    // The text and the calls came in different chunks.
    expect(response.chatResponse).toMatchObject({ text: 'Let me look. ', result: { output: { toolCalls: [{}, {}] } } });
    while (response.chatResponse?.hasToolCalls()) {
      const result = await toolCallingManager.executeToolCalls(prompt, response.chatResponse);
      prompt = new Prompt(result.conversationHistory, chatOptions);
      response = await ask(prompt);
    }

    expect(response.chatResponse?.text).toBe('It is 15 degrees everywhere.');
    expect(forwarded).toEqual(['Let ', 'me ', 'look. ', 'It ', 'is ', '15 ', 'degrees ', 'everywhere.']);
    expect(roles(chatModel)).toEqual(ROUNDS);
  });
});

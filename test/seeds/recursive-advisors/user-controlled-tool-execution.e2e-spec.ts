// Page "Recursive Advisors", section "User-Controlled Tool Execution"
import { describe, expect, it } from '@jest/globals';
import {
  AdvisorParams,
  ChatClient,
  DefaultToolCallingManager,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class WeatherTools {
  readonly asked: string[] = [];
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    this.asked.push(city);
    return `sunny in ${city}`;
  }
}

describe('a caller who has turned the tool-calling advisor off', () => {
  it('drives the loop: between the rounds it sees the calls, runs them, and asks again', async () => {
    const model = new ScriptedChatModel([
      { toolCalls: [toolCall('getWeather', { city: 'Amsterdam' })] },
      { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
      'It is sunny in both.',
    ]);
    const chatClient = ChatClient.create(model);
    const weatherTools = new WeatherTools();
    const toolCallingManager = DefaultToolCallingManager.builder().build();
    const tools = ToolCallbacks.from(weatherTools);
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(tools).build();
    const question = 'What is the weather in Amsterdam and Paris?';

    let response = await chatClient
      .prompt()
      .user(question)
      .options(chatOptions)
      .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .call()
      .chatClientResponse();
    expect(weatherTools.asked).toEqual([]);

    let prompt = new Prompt([new UserMessage(question)], chatOptions);
    const forwarded: string[] = [];
    while (response.chatResponse?.hasToolCalls()) {
      forwarded.push(...response.chatResponse.result!.output.toolCalls.map((call) => call.arguments));
      const result = await toolCallingManager.executeToolCalls(prompt, response.chatResponse);
      expect(weatherTools.asked).toHaveLength(forwarded.length); // each call is run once, and here
      prompt = new Prompt(result.conversationHistory, chatOptions);
      response = await chatClient
        .prompt()
        .messages(result.conversationHistory)
        .options(chatOptions)
        .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
        .call()
        .chatClientResponse();
    }

    expect(response.chatResponse?.text).toBe('It is sunny in both.');
    expect(forwarded).toEqual(['{"city":"Amsterdam"}', '{"city":"Paris"}']);
    expect(weatherTools.asked).toEqual(['Amsterdam', 'Paris']);
    expect(model.prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
      ['user', 'assistant', 'tool', 'assistant', 'tool'],
    ]);
    expect(model.toolResponses).toEqual(['sunny in Amsterdam', 'sunny in Paris']);
  });
});

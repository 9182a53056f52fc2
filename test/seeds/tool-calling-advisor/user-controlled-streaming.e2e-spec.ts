// Page "ToolCallingAdvisor", section "User-Controlled Streaming"
import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, tap } from 'rxjs';
import {
  AdvisorParams,
  ChatClient,
  ChatClientMessageAggregator,
  type ChatClientResponse,
  type ChatResponse,
  DefaultToolCallingManager,
  type Message,
  MessageAggregator,
  offeredToolDefinitions,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    return `sunny in ${city}`;
  }
}

describe('a caller who runs the loop of a stream himself', () => {
  it('may put the chunks together with the aggregator of model responses', async () => {
    const model = new ScriptedChatModel([
      { chunks: ['Let me ', 'see. '], toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
      { chunks: ['Sunny ', 'in Paris.'] },
    ]);
    const chatClient = ChatClient.create(model);
    const toolCallingManager = DefaultToolCallingManager.builder().build();
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new WeatherTools())).build();
    const forwarded: string[] = [];
    let prompt = new Prompt('What is the weather in Paris?', chatOptions);
    let whole: ChatResponse | undefined;
    do {
      const chunks = chatClient
        .prompt(prompt)
        .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
        .stream()
        .chatResponse()
        .pipe(tap(({ text }) => text && forwarded.push(text)));
      await lastValueFrom(new MessageAggregator().aggregate(chunks, (response) => (whole = response)));
      if (!whole?.hasToolCalls()) break;
      const { conversationHistory } = await toolCallingManager.executeToolCalls(prompt, whole);
      prompt = new Prompt(conversationHistory, chatOptions);
    } while (model.prompts.length < 5);
    expect(whole?.text).toBe('Sunny in Paris.');
    expect(forwarded).toEqual(['Let me ', 'see. ', 'Sunny ', 'in Paris.']);
    expect(model.toolResponses).toEqual(['sunny in Paris']);
    model.assertDone();
  });

  it('forwards every chunk, tool calls included, and runs the tools between the rounds', async () => {
    const model = new ScriptedChatModel([
      { chunks: ['Amsterdam ', 'first. '], toolCalls: [toolCall('getWeather', { city: 'Amsterdam' })] },
      { toolCalls: [toolCall('getWeather', { city: 'Paris' })] },
      { chunks: ['Sunny ', 'in both.'] },
    ]);
    const chatClient = ChatClient.create(model);
    const toolCallingManager = DefaultToolCallingManager.builder().build();
    const tools = ToolCallbacks.from(new WeatherTools());
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(tools).build();
    const question = 'What is the weather in Amsterdam and Paris?';

    const forwarded: string[] = [];
    const forwardToSse = ({ chatResponse }: ChatClientResponse) => {
      const { text, toolCalls } = chatResponse!.result!.output;
      if (text) forwarded.push(text);
      forwarded.push(...toolCalls.map(({ name, arguments: args }) => `${name}(${args})`));
    };
    const ask = async (messages: readonly Message[]): Promise<ChatClientResponse> => {
      let whole: ChatClientResponse | undefined;
      const chunks = chatClient
        .prompt()
        .messages(messages)
        .options(chatOptions)
        .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
        .stream()
        .chatClientResponse()
        .pipe(tap(forwardToSse)); // side-channel emission
      await lastValueFrom(
        new ChatClientMessageAggregator().aggregateChatClientResponse(chunks, (response) => (whole = response)),
      );
      return whole!;
    };

    let prompt = new Prompt([new UserMessage(question)], chatOptions);
    let response = await ask(prompt.messages);
    expect(response.chatResponse?.result?.output).toMatchObject({
      text: 'Amsterdam first. ',
      toolCalls: [{ name: 'getWeather' }],
    });
    let rounds = 0;
    while (response.chatResponse?.hasToolCalls()) {
      rounds++;
      expect(model.prompts).toHaveLength(rounds); // nobody else runs the loop
      const result = await toolCallingManager.executeToolCalls(prompt, response.chatResponse);
      prompt = new Prompt(result.conversationHistory, chatOptions);
      response = await ask(result.conversationHistory);
    }

    expect(response.chatResponse?.text).toBe('Sunny in both.');
    expect(forwarded).toEqual([
      'Amsterdam ',
      'first. ',
      'getWeather({"city":"Amsterdam"})',
      'getWeather({"city":"Paris"})',
      'Sunny ',
      'in both.',
    ]);
    expect(model.toolResponses).toEqual(['sunny in Amsterdam', 'sunny in Paris']);
    for (const { options } of model.prompts) {
      expect(offeredToolDefinitions(options).map(({ name }) => name)).toEqual(['getWeather']);
    }
    model.assertDone();
  });
});

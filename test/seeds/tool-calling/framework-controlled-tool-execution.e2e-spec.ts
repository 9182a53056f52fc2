// Page "Tool Calling", section "Framework-Controlled Tool Execution"
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import {
  AdvisorParams,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  Ordered,
  Tool,
  ToolCallbacks,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../../nest/application.js';

const QUESTION = 'What day is tomorrow?';

@Injectable()
class DateTimeTools {
  asked = 0;

  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    this.asked++;
    return '2015-10-20T10:15:30+02:00';
  }
}

const script = () => [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is 2015-10-21.'];

describe('tool execution by the framework', () => {
  it('asks the tool for the time and answers with it', async () => {
    const chatModel = new ScriptedChatModel(script());

    const response = await ChatClient.create(chatModel).prompt(QUESTION).tools(new DateTimeTools()).call().content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(chatModel.prompts.map(({ messages }) => messages)).toMatchObject([
      [{ role: 'user', text: QUESTION }],
      [
        { role: 'user', text: QUESTION },
        { role: 'assistant', toolCalls: [{ name: 'getCurrentDateTime' }] },
        { role: 'tool', responses: [{ responseData: '2015-10-20T10:15:30+02:00' }] },
      ],
    ]);
    for (const { options } of chatModel.prompts) {
      expect(options?.toolCallbacks).toMatchObject([{ toolDefinition: { name: 'getCurrentDateTime' } }]);
    }
  });

  it('runs tools that an advisor brings while the request is made', async () => {
    class ClockBringer extends BaseAdvisor {
      readonly name = 'clock bringer';
      override readonly order = Ordered.HIGHEST_PRECEDENCE + 100;

      override before(request: ChatClientRequest): ChatClientRequest {
        const toolCallbacks = ToolCallbacks.from(new DateTimeTools());
        const { prompt } = request;
        return { ...request, prompt: prompt.with({ options: { ...prompt.options, toolCallbacks } }) };
      }
    }
    const chatModel = new ScriptedChatModel(script());

    const response = await ChatClient.create(chatModel).prompt(QUESTION).advisors(new ClockBringer()).call().content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:15:30+02:00']);
  });

  it.each([
    ['the configuration', { 'ai.chat.client.tool-calling.enabled': false }, {}],
    ['the module', {}, { chat: { client: { toolCalling: { enabled: false } } } }],
  ])('is off for all requests where %s says so', async (_where, configuration, properties) => {
    const config = ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => configuration] });
    const { app, client, model } = await startApplication(
      { imports: [await config], providers: [DateTimeTools] },
      script(),
      { properties },
    );

    const response = await client.prompt(QUESTION).call().chatResponse();

    expect(model.lastPrompt?.options?.toolCallbacks).toHaveLength(1);
    expect(response?.result?.output.toolCalls).toMatchObject([{ name: 'getCurrentDateTime' }]);
    expect(app.get(DateTimeTools).asked).toBe(0);
  });

  it('is off for the one request that says so, and on for the next', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCurrentDateTime')] }, ...script()]);
    const chatClient = ChatClient.create(chatModel);
    const tools = new DateTimeTools();

    const response = await chatClient
      .prompt(QUESTION)
      .tools(tools)
      .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .call()
      .chatResponse();

    expect(response?.result?.output.toolCalls).toMatchObject([{ name: 'getCurrentDateTime' }]);
    expect(tools.asked).toBe(0);
    expect(await chatClient.prompt(QUESTION).tools(tools).call().content()).toBe('Tomorrow is 2015-10-21.');
    expect(tools.asked).toBe(1);
  });
});

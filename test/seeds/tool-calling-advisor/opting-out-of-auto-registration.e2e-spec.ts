// Page "ToolCallingAdvisor", section "Opting Out of Auto-Registration"
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AdvisorParams, ChatClient, DefaultToolCallingManager, offeredToolDefinitions, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../../nest/application.js';

@Injectable()
class DateTimeTools {
  calls = 0;
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    this.calls++;
    return '2026-03-01T10:00:00+01:00';
  }
}

const script = () => [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is Monday.'];
const offered = (model: ScriptedChatModel) => offeredToolDefinitions(model.lastPrompt?.options).map(({ name }) => name);

describe('an application', () => {
  const start = async (enabled: boolean) => {
    const configuration = { 'ai.chat.client.tool-calling.enabled': enabled };
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => configuration] });
    return startApplication({ imports: [config], providers: [DateTimeTools] }, script());
  };

  it('with tool calling turned off has no call executed, in no way of asking', async () => {
    const { app, client, model } = await start(false);
    const response = await client.prompt('What day is tomorrow?').call().chatResponse();
    expect(response?.result?.output.toolCalls).toMatchObject([{ name: 'getCurrentDateTime' }]);
    expect(offered(model)).toEqual(['getCurrentDateTime']);
    expect(app.get(DateTimeTools).calls).toBe(0);
    expect(model.prompts).toHaveLength(1);
  });

  it('with tool calling turned on has them executed', async () => {
    const { app, client } = await start(true);
    expect(await client.prompt('What day is tomorrow?').call().content()).toBe('Tomorrow is Monday.');
    expect(app.get(DateTimeTools).calls).toBe(1);
  });
});

describe('a single call', () => {
  it('may opt out: its tools are sent to the model, and the caller executes what it asks for', async () => {
    const model = new ScriptedChatModel([...script(), ...script()]);
    const chatClient = ChatClient.create(model);
    const tools = new DateTimeTools();
    const request = () => chatClient.prompt('What day is tomorrow?').tools(tools);

    const response = await request()
      .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .call()
      .chatResponse();
    expect(offered(model)).toEqual(['getCurrentDateTime']);
    expect(response?.text).toBe('');
    expect(tools.calls).toBe(0);

    const { conversationHistory } = await new DefaultToolCallingManager().executeToolCalls(
      model.lastPrompt!,
      response!,
    );
    expect(tools.calls).toBe(1);
    const answer = await chatClient
      .prompt()
      .messages(conversationHistory)
      .tools(tools)
      .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .call()
      .content();
    expect(answer).toBe('Tomorrow is Monday.');

    // The calls that follow have their loop again.
    expect(await request().call().content()).toBe('Tomorrow is Monday.');
    expect(tools.calls).toBe(2);
  });
});

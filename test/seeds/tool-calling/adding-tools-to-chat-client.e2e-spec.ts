// Page "Tool Calling", sections "Adding Tools to ChatClient" of methods, functions and names of functions
import { describe, expect, it } from '@jest/globals';
import { ChatClient, StaticToolCallbackProvider, Tool, ToolCallbacks } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { offeredTools } from '../../nest/application.js';
import { ANSWER, ownTool, QUESTION, scriptOf, TOOL_KINDS } from './tool-kinds.js';

describe.each(TOOL_KINDS)('%s, given to a request', (_kind, make) => {
  it('is offered and run for this request only', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel([...scriptOf(tool), 'I do not know.']);
    const chatClient = (await tool.clientBuilder(chatModel)).build();

    expect(await chatClient.prompt(QUESTION).tools(tool.source).call().content()).toBe(ANSWER);
    expect(offeredTools(chatModel)).toEqual([tool.name]);
    expect(tool.received).toEqual([tool.input]);
    expect(chatModel.toolResponses).toEqual([tool.result]);

    expect(await chatClient.prompt(QUESTION).call().content()).toBe('I do not know.');
    expect(offeredTools(chatModel)).toEqual([]);
    chatModel.assertDone();
  });

  it('runs before the answer is streamed', async () => {
    const tool = make();
    const chatModel = new ScriptedChatModel(scriptOf(tool));
    const chatClient = (await tool.clientBuilder(chatModel)).build();

    let text = '';
    for await (const piece of chatClient.prompt(QUESTION).tools(tool.source).stream().content()) text += piece;

    expect(text).toBe(ANSWER);
    expect(tool.received).toEqual([tool.input]);
    expect(chatModel.toolResponses).toEqual([tool.result]);
  });
});

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    return '2015-10-20T10:00:00Z';
  }

  @Tool({ description: 'Set a user alarm for the given time' })
  setAlarm(time: string): string {
    return `Alarm set for ${time}`;
  }
}

describe('the tools of a request', () => {
  it('are all methods with @Tool of the instance that it is given', async () => {
    const chatModel = new ScriptedChatModel(['Hello']);
    await ChatClient.create(chatModel).prompt('Hi').tools(new DateTimeTools()).call().content();
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime', 'setAlarm']);
  });

  it('may be made of the instance beforehand', async () => {
    const dateTimeTools = ToolCallbacks.from(new DateTimeTools());
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCurrentDateTime')] }, ANSWER]);

    expect(await ChatClient.create(chatModel).prompt(QUESTION).tools(dateTimeTools).call().content()).toBe(ANSWER);

    expect(chatModel.lastPrompt!.options!.toolCallbacks).toEqual(dateTimeTools);
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
  });

  it('may be instances, callbacks, providers and collections of these, side by side', async () => {
    const calls = ['getCurrentDateTime', 'callback', 'provided', 'listed', 'inASet'];
    const chatModel = new ScriptedChatModel([{ toolCalls: calls.map((name) => toolCall(name)) }, 'All ran.']);

    await ChatClient.create(chatModel)
      .prompt('Try everything')
      .tools(
        new DateTimeTools(),
        ownTool('callback'),
        new StaticToolCallbackProvider([ownTool('provided')]),
        [ownTool('listed')],
        new Set([ownTool('inASet')]),
      )
      .call()
      .content();

    expect(chatModel.toolResponses).toEqual([
      '2015-10-20T10:00:00Z',
      'callback done',
      'provided done',
      'listed done',
      'inASet done',
    ]);
  });
});

// Page "Tool Calling", section "Methods as Tools / Declarative Specification / Adding Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  FunctionToolCallback,
  StaticToolCallbackProvider,
  Tool,
  ToolCallback,
  ToolCallbacks,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';

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

const script = () => [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is 2015-10-21.'];

describe('the tools of a request', () => {
  it('are the methods of the instance that it is given', async () => {
    const chatModel = new ScriptedChatModel(script());

    const response = await ChatClient.create(chatModel)
      .prompt('What day is tomorrow?')
      .tools(new DateTimeTools())
      .call()
      .content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime', 'setAlarm']);
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
  });

  it('are there for this request only', async () => {
    const chatModel = new ScriptedChatModel(['Hello', 'Hello']);
    const chatClient = ChatClient.create(chatModel);
    await chatClient.prompt('What day is tomorrow?').tools(new DateTimeTools()).call().content();
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime', 'setAlarm']);
    await chatClient.prompt('What day is tomorrow?').call().content();
    expect(offeredTools(chatModel)).toEqual([]);
  });

  it('may be made of the instance beforehand', async () => {
    const dateTimeTools: ToolCallback[] = ToolCallbacks.from(new DateTimeTools());
    const chatModel = new ScriptedChatModel(script());

    const response = await ChatClient.create(chatModel)
      .prompt('What day is tomorrow?')
      .tools(dateTimeTools)
      .call()
      .content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(chatModel.lastPrompt!.options!.toolCallbacks).toEqual(dateTimeTools);
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
  });

  it('may be instances, callbacks, providers and collections of these, side by side', async () => {
    const tool = (name: string) => new FunctionToolCallback({ name, toolFunction: () => name });
    const calls = ['getCurrentDateTime', 'callback', 'provided', 'listed', 'inASet'];
    const chatModel = new ScriptedChatModel([{ toolCalls: calls.map((name) => toolCall(name)) }, 'All ran.']);

    await ChatClient.create(chatModel)
      .prompt('Try everything')
      .tools(
        new DateTimeTools(),
        tool('callback'),
        new StaticToolCallbackProvider([tool('provided')]),
        [tool('listed')],
        new Set([tool('inASet')]),
      )
      .call()
      .content();

    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z', 'callback', 'provided', 'listed', 'inASet']);
  });
});

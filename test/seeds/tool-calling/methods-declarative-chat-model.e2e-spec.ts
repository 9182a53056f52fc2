// Page "Tool Calling", section "Methods as Tools / Declarative Specification / Adding Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  offeredToolDefinitions,
  Prompt,
  Tool,
  type ToolCallback,
  ToolCallbacks,
  ToolCallingChatOptions,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';

class DateTimeTools {
  asked = 0;

  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    this.asked++;
    return '2015-10-20T10:00:00Z';
  }
}

describe('a model that is asked directly, with the methods of an instance as tools', () => {
  it('is told of the tools, and what it wants to call is left to the caller', async () => {
    const tools = new DateTimeTools();
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCurrentDateTime')] }]);
    const dateTimeTools: ToolCallback[] = ToolCallbacks.from(tools);
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(dateTimeTools).build();
    const prompt = new Prompt('What day is tomorrow?', chatOptions);

    const response = await chatModel.call(prompt);

    expect(offeredToolDefinitions(chatModel.lastPrompt!.options)).toMatchObject([
      { name: 'getCurrentDateTime', description: "Get the current date and time in the user's timezone" },
    ]);
    expect(response.hasToolCalls()).toBe(true);
    expect(response.result!.output.toolCalls).toMatchObject([{ name: 'getCurrentDateTime', arguments: '{}' }]);
    expect(tools.asked).toBe(0);
  });

  it('has the tools run when the same prompt goes through a client', async () => {
    const tools = new DateTimeTools();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCurrentDateTime')] },
      'Tomorrow is 2015-10-21.',
    ]);
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(tools)).build();

    const response = await ChatClient.create(chatModel)
      .prompt(new Prompt('What day is tomorrow?', chatOptions))
      .call()
      .content();

    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(tools.asked).toBe(1);
  });
});

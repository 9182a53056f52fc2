// Page "Tool Calling", section "Methods as Tools / Programmatic Specification / Adding Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import {
  MethodToolCallback,
  offeredToolDefinitions,
  Prompt,
  ToolCallingChatOptions,
  ToolDefinitions,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';

class DateTimeTools {
  asked = 0;

  getCurrentDateTime(): string {
    this.asked++;
    return '2015-10-20T10:00:00Z';
  }
}

describe('a model that is asked directly, with a MethodToolCallback', () => {
  it('is told of the tool, and what it wants to call is left to the caller', async () => {
    const tools = new DateTimeTools();
    const toolCallback = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.from(DateTimeTools, 'getCurrentDateTime'))
      .toolMethod('getCurrentDateTime')
      .toolObject(tools)
      .build();
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getCurrentDateTime')] }, 'I do not know.']);
    const chatOptions = ToolCallingChatOptions.builder().toolCallbacks([toolCallback]).build();
    const prompt = new Prompt('What day is tomorrow?', chatOptions);

    const response = await chatModel.call(prompt);

    expect(offeredToolDefinitions(chatModel.lastPrompt!.options)).toEqual([toolCallback.toolDefinition]);
    expect(response.result!.output.toolCalls).toMatchObject([{ name: 'getCurrentDateTime' }]);
    expect(tools.asked).toBe(0);

    await chatModel.call(new Prompt('What day is tomorrow?'));
    expect(offeredToolDefinitions(chatModel.lastPrompt!.options)).toEqual([]);
  });
});

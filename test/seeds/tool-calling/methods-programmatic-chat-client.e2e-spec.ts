// Page "Tool Calling", section "Methods as Tools / Programmatic Specification / Adding Tools to ChatClient and ChatModel"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, MethodToolCallback, type ToolCallback, ToolDefinitions } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';

class DateTimeTools {
  getCurrentDateTime(): string {
    return '2015-10-20T10:00:00Z';
  }
}

const toolCallback: ToolCallback = new MethodToolCallback({
  toolDefinition: ToolDefinitions.from(DateTimeTools, 'getCurrentDateTime'),
  toolMethod: 'getCurrentDateTime',
  toolObject: new DateTimeTools(),
});

describe('a MethodToolCallback given to a request', () => {
  it('is asked for the date, for this request only', async () => {
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('getCurrentDateTime')] },
      'Tomorrow is 2015-10-21.',
      'I do not know.',
    ]);
    const chatClient = ChatClient.create(chatModel);

    const response = await chatClient.prompt('What day is tomorrow?').tools(toolCallback).call().content();
    expect(response).toBe('Tomorrow is 2015-10-21.');
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime']);
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);

    expect(await chatClient.prompt('What day is tomorrow?').call().content()).toBe('I do not know.');
    expect(offeredTools(chatModel)).toEqual([]);
  });
});

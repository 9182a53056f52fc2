// Page "Tool Calling", section "Methods as Tools / Programmatic Specification / Adding Default Tools to ChatModel"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  MethodToolCallback,
  type ToolCallback,
  ToolCallingChatOptions,
  ToolDefinitions,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/core/testing';
import { offeredTools } from '../../nest/application.js';

class DateTimeTools {
  getCurrentDateTime(): string {
    return '2015-10-20T10:00:00Z';
  }

  getTimeZone(): string {
    return 'Europe/Copenhagen';
  }
}

const methodTool = (toolMethod: 'getCurrentDateTime' | 'getTimeZone'): ToolCallback =>
  new MethodToolCallback({
    toolDefinition: ToolDefinitions.from(DateTimeTools, toolMethod),
    toolMethod,
    toolObject: new DateTimeTools(),
  });

describe('a MethodToolCallback as the default tool of a model', () => {
  it('is run in every request, until a request brings tools of its own', async () => {
    const chatModel = new ScriptedChatModel(
      [
        { toolCalls: [toolCall('getCurrentDateTime')] },
        'Tomorrow is 2015-10-21.',
        { toolCalls: [toolCall('getTimeZone')] },
        'In Copenhagen.',
      ],
      ToolCallingChatOptions.builder()
        .toolCallbacks([methodTool('getCurrentDateTime')])
        .build(),
    );
    const chatClient = ChatClient.create(chatModel);

    expect(await chatClient.prompt('What day is tomorrow?').call().content()).toBe('Tomorrow is 2015-10-21.');
    expect(offeredTools(chatModel)).toEqual(['getCurrentDateTime']);
    expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);

    await chatClient.prompt('Where am I?').tools(methodTool('getTimeZone')).call().content();
    expect(offeredTools(chatModel)).toEqual(['getTimeZone']);
    expect(chatModel.toolResponses).toEqual(['Europe/Copenhagen']);
  });
});

// Page "Tool Calling", section "Methods as Tools / Programmatic Specification / Adding Default Tools to ChatClient"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, MethodToolCallback, type ToolCallback, ToolDefinitions } from '@nestor-ai/core';
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

describe('a MethodToolCallback as the default tool of a client', () => {
  it('is run for every request, of every client of the builder', async () => {
    const script = [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is 2015-10-21.'];
    const chatModel = new ScriptedChatModel([...script, ...script]);
    const builder = ChatClient.builder(chatModel).defaultTools(methodTool('getCurrentDateTime'));
    for (const chatClient of [builder.build(), builder.build()]) {
      expect(await chatClient.prompt('What day is tomorrow?').call().content()).toBe('Tomorrow is 2015-10-21.');
      expect(chatModel.toolResponses).toEqual(['2015-10-20T10:00:00Z']);
    }
    chatModel.assertDone();
  });

  it('gives way to the tools of a request', async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('getTimeZone')] }, 'In Copenhagen.']);
    const chatClient = ChatClient.builder(chatModel).defaultTools(methodTool('getCurrentDateTime')).build();
    await chatClient.prompt('Where am I?').tools(methodTool('getTimeZone')).call().content();
    expect(offeredTools(chatModel)).toEqual(['getTimeZone']);
    expect(chatModel.toolResponses).toEqual(['Europe/Copenhagen']);
  });
});

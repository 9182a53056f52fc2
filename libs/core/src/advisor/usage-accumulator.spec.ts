import { describe, expect, it } from '@jest/globals';
import { ChatClient } from '../client/chat-client.js';
import type { ToolCall } from '../model/messages.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';

const search = new FunctionToolCallback({
  name: 'search',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  toolFunction: () => 'nothing found',
});
const find = (q: string): { toolCalls: ToolCall[] } => ({ toolCalls: [toolCall('search', { q })] });

describe('the usage of a turn', () => {
  const usage = (tokens: number) => ({ promptTokens: tokens, completionTokens: 0, totalTokens: tokens });

  it('is added up and listed by round', async () => {
    const model = new ScriptedChatModel([
      { ...find('a'), usage: usage(10) },
      { ...find('b') },
      { text: 'Done', usage: usage(5) },
    ]);
    const response = await ChatClient.create(model).prompt('Find').tools(search).call().chatResponse();
    expect(response?.metadata.usage?.totalTokens).toBe(15);
    expect(response?.metadata.usageByRound).toEqual([usage(10), usage(5)]);
  });

  it('equals the model’s report for a single round', async () => {
    const model = new ScriptedChatModel([{ text: 'Done', usage: usage(5) }]);
    const response = await ChatClient.create(model).prompt('Find').call().chatResponse();
    expect(response?.metadata).toEqual({ usage: usage(5) });
  });
});

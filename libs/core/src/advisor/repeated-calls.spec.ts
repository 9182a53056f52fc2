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

describe('a model that repeats a call', () => {
  const responsesOf = async (...queries: string[]): Promise<string[]> => {
    const model = new ScriptedChatModel([...queries.map(find), 'I give up']);
    await ChatClient.create(model).prompt('Find it').tools(search).call().content();
    return model.toolResponses;
  };

  it('is told from the third time on', async () => {
    const [first, second, third, fourth] = await responsesOf('a', 'a', 'a', 'a');
    expect([first, second]).toEqual(['nothing found', 'nothing found']);
    expect(third).toMatch(
      /^nothing found\n\nNote: you have now called 'search' 3 times in a row with the same arguments\./,
    );
    expect(fourth).toMatch(/4 times in a row/);
  });

  it('is not told when it tries something else in between', async () => {
    expect((await responsesOf('a', 'a', 'b', 'a', 'a')).join()).not.toContain('Note');
  });

  it('is told within one message as well', async () => {
    const model = new ScriptedChatModel([{ toolCalls: ['a', 'a', 'a'].map((q) => toolCall('search', { q })) }, 'Done']);
    await ChatClient.create(model).prompt('Find it').tools(search).call().content();
    expect(model.toolResponses[2]).toMatch(/3 times in a row/);
  });
});

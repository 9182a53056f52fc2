import { describe, expect, it } from '@jest/globals';
import { ChatClient } from '../client/chat-client.js';
import type { ToolCall } from '../model/messages.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';

const search = new FunctionToolCallback({
  name: 'search',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  toolFunction: () => 'nothing found',
});
const find = (q: string): { toolCalls: ToolCall[] } => ({ toolCalls: [toolCall('search', { q })] });

describe('the options of ToolCallingAdvisor', () => {
  it.each([{ maxRounds: 0 }, { maxRounds: 1.5 }, { turnLease: 0 }, { turnLease: Number.NaN }, { turnLease: 2 ** 31 }])(
    'are refused with their name: %p',
    (options) => {
      expect(() => new ToolCallingAdvisor(options)).toThrow(new RegExp(`^${Object.keys(options)[0]!} must be`));
    },
  );
});

describe('the builder of ToolCallingAdvisor', () => {
  it('has the option that leaves the history to a memory', async () => {
    const model = new ScriptedChatModel([find('a'), 'Done']);
    const advisor = ToolCallingAdvisor.builder().disableInternalConversationHistory().build();
    await ChatClient.create(model).prompt('Find').tools(search).advisors(advisor).call().content();
    expect(model.lastPrompt?.messages.map(({ role }) => role)).toEqual(['tool']);
  });

  it('accepts a function that decides whether tools run', async () => {
    const model = new ScriptedChatModel([{ ...find('a'), finishReason: 'stop' }]);
    const advisor = ToolCallingAdvisor.builder()
      .toolExecutionEligibilityChecker((response) => response?.result?.metadata?.finishReason === 'tool-calls')
      .build();
    const response = await ChatClient.create(model)
      .prompt('Find')
      .tools(search)
      .advisors(advisor)
      .call()
      .chatResponse();
    expect(response?.hasToolCalls()).toBe(true);
  });
});

import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { ChatClient } from '../client/chat-client.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { AssistantMessage, type ToolCall, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { BaseAdvisor } from './base-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';

const search = new FunctionToolCallback({
  name: 'search',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  toolFunction: () => 'nothing found',
});
const find = (q: string): { toolCalls: ToolCall[] } => ({ toolCalls: [toolCall('search', { q })] });

describe('the context', () => {
  it('keeps changes by an advisor inside the loop in the next round and in the answer', async () => {
    class Counter extends BaseAdvisor {
      readonly name = 'counter';
      override before(request: ChatClientRequest) {
        return {
          ...request,
          context: { ...request.context, rounds: ((request.context['rounds'] as number) ?? 0) + 1 },
        };
      }
      override after(response: ChatClientResponse) {
        return { ...response, context: { ...response.context, after: response.context['rounds'] } };
      }
    }
    const model = new ScriptedChatModel([find('a'), find('b'), 'Done']);
    const spec = ChatClient.create(model).prompt('Find').tools(search).advisors(new Counter());
    expect((await spec.call().chatClientResponse()).context).toMatchObject({ rounds: 3, after: 3 });
  });
});

describe('reasoning and the provider’s own parts', () => {
  it('are sent back to the model with their message', async () => {
    const model = new ScriptedChatModel([{ ...find('a'), reasoning: 'I should search' }, 'Done']);
    await ChatClient.create(model).prompt('Find').tools(search).call().content();
    expect(model.lastPrompt?.messages[1]).toMatchObject({ role: 'assistant', reasoning: 'I should search' });
  });
});

describe('a history from elsewhere', () => {
  it('is repaired before the model is asked', async () => {
    const model = new ScriptedChatModel(['Hello']);
    await ChatClient.create(model)
      .prompt()
      .messages(new UserMessage('Hi'), new AssistantMessage(find('a')))
      .user('Still there?')
      .call()
      .content();
    expect(model.toolResponses).toEqual([expect.stringContaining('was not answered')]);
  });
});

describe('a context that a tool enters with enterWith()', () => {
  it.each(['at once', 'later'])('ends with the tool, also when it fails %s', async (when) => {
    const store = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const manager = new DefaultToolCallingManager({
      toolExecutionExceptionProcessor: {
        process: () => {
          seen.push(store.getStore());
          return 'failed';
        },
      },
    });
    const failing = new FunctionToolCallback({
      name: 'search',
      inputSchema: { type: 'object' },
      toolFunction: async () => {
        store.enterWith('tool');
        if (when === 'later') await Promise.resolve();
        throw new Error('broken');
      },
    });
    const model = new ScriptedChatModel([find('a'), 'Done']);
    const advisor = new ToolCallingAdvisor({ toolCallingManager: manager });
    await ChatClient.create(model).prompt('Find it').tools(failing).advisors(advisor).call().content();
    expect(seen).toEqual([undefined]);
  });
});

describe('a hook that creates a new request', () => {
  it('still passes a prompt to the following hooks, from the first round on', async () => {
    const prompts: boolean[] = [];
    class OwnRequest extends ToolCallingAdvisor {
      protected override doInitializeLoop({ prompt, ...request }: ChatClientRequest) {
        const { messages, options } = prompt;
        return { ...request, prompt: { messages, options } as unknown as Prompt };
      }
      protected override doBeforeCall(request: ChatClientRequest) {
        prompts.push(request.prompt instanceof Prompt);
        return request;
      }
    }
    const model = new ScriptedChatModel([find('a'), 'Done']);
    await ChatClient.create(model).prompt('Find it').tools(search).advisors(new OwnRequest()).call().content();
    expect(prompts).toEqual([true, true]);
  });
});

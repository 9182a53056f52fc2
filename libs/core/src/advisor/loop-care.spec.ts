import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { ChatClient } from '../client/chat-client.js';
import { mendHistory } from '../model/mend-history.js';
import {
  AssistantMessage,
  type Message,
  SystemMessage,
  type ToolCall,
  ToolResponseMessage,
  UserMessage,
} from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { ScriptedChatModel, toolCall } from '../testing/index.js';
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

describe('a model that makes the same call again and again', () => {
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

  it('is told within one message, too', async () => {
    const model = new ScriptedChatModel([{ toolCalls: ['a', 'a', 'a'].map((q) => toolCall('search', { q })) }, 'Done']);
    await ChatClient.create(model).prompt('Find it').tools(search).call().content();
    expect(model.toolResponses[2]).toMatch(/3 times in a row/);
  });
});

describe('the usage of a turn', () => {
  const usage = (tokens: number) => ({ promptTokens: tokens, completionTokens: 0, totalTokens: tokens });

  it('is summed, and listed by round', async () => {
    const model = new ScriptedChatModel([
      { ...find('a'), usage: usage(10) },
      { ...find('b') },
      { text: 'Done', usage: usage(5) },
    ]);
    const response = await ChatClient.create(model).prompt('Find').tools(search).call().chatResponse();
    expect(response?.metadata.usage?.totalTokens).toBe(15);
    expect(response?.metadata.usageByRound).toEqual([usage(10), usage(5)]);
  });

  it('of a single round is what the model reports', async () => {
    const model = new ScriptedChatModel([{ text: 'Done', usage: usage(5) }]);
    const response = await ChatClient.create(model).prompt('Find').call().chatResponse();
    expect(response?.metadata).toEqual({ usage: usage(5) });
  });
});

describe('the context', () => {
  it('that an advisor inside of the loop changes is there in the next round, and in the answer', async () => {
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
  it('go back to the model with the message that they came with', async () => {
    const model = new ScriptedChatModel([{ ...find('a'), reasoning: 'I should search' }, 'Done']);
    await ChatClient.create(model).prompt('Find').tools(search).call().content();
    expect(model.lastPrompt?.messages[1]).toMatchObject({ role: 'assistant', reasoning: 'I should search' });
  });
});

describe('a history from elsewhere', () => {
  const user = new UserMessage('Hi');
  const asks = (...ids: string[]) =>
    new AssistantMessage({ toolCalls: ids.map((id) => ({ id, name: 'search', arguments: '{}' })) });
  const answers = (...ids: string[]) =>
    new ToolResponseMessage({ responses: ids.map((id) => ({ id, name: 'search', responseData: `of ${id}` })) });

  it.each<[string, Message[]]>([
    ['without tools', [new SystemMessage('S'), user, new AssistantMessage('Hello'), user]],
    ['with whole pairs', [user, asks('a', 'b'), answers('a', 'b'), asks('c'), answers('c')]],
    ['of responses whose calls the provider knows', [new SystemMessage('S'), answers('a')]],
  ])('that is valid stays as it is: %s', (_what, messages) => {
    expect(mendHistory(messages)).toBe(messages);
  });

  it.each<[string, Message[], string[][]]>([
    ['a call at the end', [user, asks('a')], [['a!']]],
    ['a call that the user has talked over', [user, asks('a'), user], [['a!']]],
    ['one of two calls', [user, asks('a', 'b'), answers('b'), user], [['a!', 'b']]],
    ['responses in several messages', [user, asks('a', 'b'), answers('b'), answers('a')], [['a', 'b']]],
    ['responses in another order', [user, asks('a', 'b'), answers('b', 'a')], [['a', 'b']]],
    ['a response without a call', [user, answers('x'), new AssistantMessage('Hello')], []],
    ['a response to another call', [user, asks('a'), answers('x')], [['a!']]],
    ['a response that comes twice', [user, asks('a'), answers('a'), answers('a')], [['a']]],
  ])('is mended: %s', (_what, messages, expected) => {
    const mended = mendHistory(messages);
    const responses = mended.flatMap((message) =>
      message.role === 'tool' ? [message.responses.map(({ id, isError }) => (isError ? `${id}!` : id))] : [],
    );
    expect(responses).toEqual(expected);
    expect(mendHistory(mended)).toBe(mended);
  });

  it('is mended before the model is asked', async () => {
    const model = new ScriptedChatModel(['Hello']);
    await ChatClient.create(model).prompt().messages(user, asks('a')).user('Still there?').call().content();
    expect(model.toolResponses).toEqual([expect.stringContaining('was not answered')]);
  });
});

describe('the builder of the loop', () => {
  it('knows the switch that leaves the history to somebody else', async () => {
    const model = new ScriptedChatModel([find('a'), 'Done']);
    const advisor = ToolCallingAdvisor.builder().disableInternalConversationHistory().build();
    await ChatClient.create(model).prompt('Find').tools(search).advisors(advisor).call().content();
    expect(model.lastPrompt?.messages.map(({ role }) => role)).toEqual(['tool']);
  });

  it('takes a function that decides whether tools are run', async () => {
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

describe('what a tool enters with enterWith()', () => {
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

describe('a hook that makes a request of its own', () => {
  it('leaves a prompt to the hooks that follow, from the first round on', async () => {
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

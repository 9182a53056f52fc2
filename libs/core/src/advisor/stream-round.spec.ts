import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, map, mergeMap, Observable, throwError, timer, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { AssistantMessage, withoutToolCalls } from '../model/messages.js';
import { ScriptedChatModel, toolCall } from '../testing/index.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import type { StreamAdvisor } from './advisor.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import { MessageChatMemoryAdvisor } from './message-chat-memory-advisor.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';

const withoutCalls = ({ chatResponse, ...rest }: ChatClientResponse, added = ''): ChatClientResponse => ({
  ...rest,
  chatResponse: chatResponse!.with({
    results: chatResponse!.results.map(({ output, metadata }) => ({
      output: new AssistantMessage({ text: withoutToolCalls(output).text + added }),
      metadata: { ...metadata, finishReason: 'stop' },
    })),
  }),
});

class CallLess extends ToolCallingAdvisor {
  protected override doAfterCall(response: ChatClientResponse) {
    return withoutCalls(response);
  }
}

class StreamLess extends ToolCallingAdvisor {
  protected override async doAfterStream(response: ChatClientResponse) {
    return withoutCalls(response, ' But not now.');
  }
}

describe('a hook that takes tool calls out of a streamed round', () => {
  it.each([
    ['doAfterCall', CallLess, 'Let me look.'],
    ['doAfterStream', StreamLess, 'Let me look. But not now.'],
  ])('is followed: the caller gets none, and the memory keeps the answer: %s', async (_hook, Loop, text) => {
    const memory = new MessageWindowChatMemory();
    const done: string[] = [];
    const look = new FunctionToolCallback({ name: 'look', toolFunction: () => done.push('looked') });
    const client = ChatClient.builder(
      new ScriptedChatModel([{ text: 'Let me look.', toolCalls: [toolCall('look')], usage: tokens(3) }]),
    )
      .defaultTools(look)
      .defaultAdvisors(new Loop(), new MessageChatMemoryAdvisor({ chatMemory: memory }), (a) =>
        a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    const chunks = await lastValueFrom(client.prompt('Go').stream().chatResponse().pipe(toArray()));
    expect(chunks.filter((chunk) => chunk.hasToolCalls())).toEqual([]);
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
    expect(chunks.at(-1)).toMatchObject({
      results: [{ metadata: { finishReason: 'stop' } }],
      metadata: { usage: { totalTokens: 3 } },
    });
    expect(await memory.get('c')).toMatchObject([
      { role: 'user', text: 'Go' },
      { role: 'assistant', text },
    ]);
    expect(done).toEqual([]);
  });
});

describe('an advisor behind the loop whose stream cannot be torn down', () => {
  it.each([
    ['that ends', timer(1).pipe(map(() => ({ context: {} }))), /tear down/],
    ['that fails', timer(1).pipe(mergeMap(() => throwError(() => new Error('failed')))), /^failed$/],
  ])('fails the turn, and nothing else: one %s', async (_how, source, message) => {
    const advisor: StreamAdvisor = {
      name: 'Torn',
      order: ToolCallingAdvisor.DEFAULT_ORDER + 1,
      adviseStream: () =>
        new Observable((subscriber) => {
          subscriber.add(() => {
            throw new Error('cannot tear down');
          });
          source.subscribe(subscriber);
        }),
    };
    const client = ChatClient.builder(new ScriptedChatModel([]))
      .defaultAdvisors(new ToolCallingAdvisor(), advisor)
      .build();
    await expect(lastValueFrom(client.prompt('Go').stream().chatResponse())).rejects.toThrow(message);
  });
});

function tokens(total: number) {
  return { promptTokens: total - 1, completionTokens: 1, totalTokens: total };
}

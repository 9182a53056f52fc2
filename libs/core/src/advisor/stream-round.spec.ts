import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, map, mergeMap, Observable, of, throwError, timer, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { ChatResponse, type ToolInputDelta } from '../model/chat-response.js';
import { AssistantMessage, type AssistantMessageInit, withoutToolCalls } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
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

describe('a hook that removes tool calls from a streamed round', () => {
  it.each([
    ['doAfterCall', CallLess, 'Let me look.'],
    ['doAfterStream', StreamLess, 'Let me look. But not now.'],
  ])('hides them from the caller, and the memory keeps the answer: %s', async (_hook, Loop, text) => {
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

/** Says something more after its first tool call is complete. */
class Interleaving extends ScriptedChatModel {
  override stream(prompt: Prompt) {
    if (this.prompts.length > 0) return super.stream(prompt);
    this.prompts.push(prompt);
    const chunk = (init: AssistantMessageInit, toolInput?: ToolInputDelta): ChatResponse =>
      new ChatResponse({ results: [{ output: new AssistantMessage(init), ...(toolInput && { toolInput }) }] });
    return of(
      chunk({ toolCalls: [toolCall('look', {}, 'a')] }),
      chunk({}, { id: 'b', name: 'look', delta: '{}' }),
      chunk({ toolCalls: [toolCall('look', {}, 'b')], sources: [{ type: 'url', id: '1', url: 'https://a.example' }] }),
      chunk({ providerToolCalls: [{ id: 's', name: 'web_search', arguments: '{}', result: 1 }] }),
      chunk({ media: [{ mimeType: 'image/png', data: 'AQID' }] }),
    );
  }
}

describe('what a model makes after its first tool call', () => {
  const look = new FunctionToolCallback({ name: 'look', toolFunction: () => 'seen' });
  const typesOf = async (advisor: ToolCallingAdvisor): Promise<string[]> => {
    const model = new Interleaving(['unused', 'Done.']);
    const client = ChatClient.builder(model).defaultTools(look).defaultAdvisors(advisor).build();
    const events = await lastValueFrom(client.prompt('Go').stream().events().pipe(toArray()));
    return events.map(({ type }) => type);
  };

  it('is passed on at once and only once', async () => {
    expect(await typesOf(new ToolCallingAdvisor())).toEqual([
      'tool-input-delta',
      'source',
      'provider-tool-call',
      'provider-tool-result',
      'file',
      'tool-call',
      'tool-call',
      'tool-result',
      'tool-result',
      'text',
      'finish',
    ]);
  });

  it('is not repeated when a hook removes the calls', async () => {
    class Less extends ToolCallingAdvisor {
      protected override async doAfterStream({ chatResponse, ...rest }: ChatClientResponse) {
        const results = chatResponse!.results.map(({ output }) => ({
          output: withoutToolCalls(output),
          metadata: { finishReason: 'stop' },
        }));
        return { ...rest, chatResponse: chatResponse!.with({ results }) };
      }
    }
    expect(await typesOf(new Less())).toEqual([
      'tool-input-delta',
      'source',
      'provider-tool-call',
      'provider-tool-result',
      'file',
      'finish',
    ]);
  });

  it('is passed on in the last round', async () => {
    const script = [
      { toolCalls: [toolCall('look')] },
      {
        media: [{ mimeType: 'image/png', data: 'AQID' }],
        sources: [{ type: 'url' as const, id: '1', url: 'https://a' }],
      },
    ];
    const client = ChatClient.builder(new ScriptedChatModel(script))
      .defaultTools(look)
      .defaultAdvisors(new ToolCallingAdvisor({ maxRounds: 1 }))
      .build();
    const events = await lastValueFrom(client.prompt('Go').stream().events().pipe(toArray()));
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['source', 'file']));
  });
});

describe('an advisor inside the loop whose stream throws on teardown', () => {
  it.each([
    ['that ends', timer(1).pipe(map(() => ({ context: {} }))), /tear down/],
    ['that fails', timer(1).pipe(mergeMap(() => throwError(() => new Error('failed')))), /^failed$/],
  ])('only fails the turn: one %s', async (_how, source, message) => {
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

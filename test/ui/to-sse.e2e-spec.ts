import { expect, test } from '@jest/globals';
import { Controller, Injectable, type MessageEvent, Query, Sse } from '@nestjs/common';
import { ChatClient, ChatModelException, Tool, toSse } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import type { Observable } from 'rxjs';
import { allEvents, serve } from '../recipes/http-application.js';

@Injectable()
class Orders {
  @Tool()
  async *findOrder(id: number): AsyncGenerator<unknown> {
    yield { searched: 10n };
    yield { id };
  }

  @Tool({ needsApproval: true })
  refund(id: number): string {
    return `refunded ${id}`;
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Sse('chat')
  chat(@Query('q') question: string): Observable<MessageEvent> {
    return toSse(this.chatClient.prompt(question).stream().events());
  }

  @Sse('lively')
  lively(@Query('q') question: string): Observable<MessageEvent> {
    return toSse(this.chatClient.prompt(question).stream().events(), { heartbeat: 2 });
  }

  @Sse('kind')
  kind(@Query('q') question: string): Observable<MessageEvent> {
    const events = this.chatClient.prompt(question).stream().events();
    return toSse(events, { errorText: (error) => `Sorry: ${(error as Error).name}` });
  }
}

async function ask(script: readonly ScriptEntry[], path = 'chat'): Promise<{ type: string; data: unknown }[]> {
  const { url } = await serve(new ScriptedChatModel(script), { controllers: [ChatController], providers: [Orders] });
  const events = await allEvents(`${url}/${path}?q=Hello`);
  return events.map(({ type, data }) => ({ type, data }));
}

test('events of an answer are server-sent events of their type', async () => {
  const usage = { promptTokens: 3, completionTokens: 2, totalTokens: 5, native: { secret: 'of the provider' } };
  const call = { ...toolCall('findOrder', { id: 7 }, 'a'), providerMetadata: { openai: { signature: 'secret' } } };
  expect(
    await ask([
      { text: 'Wait.', toolCalls: [call] },
      { text: 'Here.', usage },
    ]),
  ).toEqual([
    { type: 'text', data: { text: 'Wait.', round: 0 } },
    { type: 'tool-call', data: { toolCall: { id: 'a', name: 'findOrder', arguments: '{"id":7}' } } },
    // What JSON lacks does not break the stream.
    { type: 'tool-progress', data: { toolCall: { id: 'a', name: 'findOrder' }, value: { searched: '10' } } },
    {
      type: 'tool-result',
      data: {
        toolCall: { id: 'a', name: 'findOrder', arguments: '{"id":7}' },
        result: '{"id":7}',
        response: { id: 'a', name: 'findOrder', responseData: '{"id":7}' },
      },
    },
    { type: 'text', data: { text: 'Here.', round: 1 } },
    { type: 'usage', data: { usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 } } },
    { type: 'finish', data: { finishReason: 'stop' } },
  ]);
});

test('the end tells which calls wait for approval', async () => {
  const events = await ask([{ toolCalls: [toolCall('refund', { id: 7 }, 'a')] }]);
  expect(events.at(-1)).toEqual({
    type: 'finish',
    data: {
      finishReason: 'toolApprovalRequired',
      pendingApprovals: [{ id: 'a', name: 'refund', arguments: '{"id":7}' }],
      turnId: expect.any(String),
    },
  });
});

test('an answer that fails ends with an event that does not say why, unless the application does', async () => {
  const script = [{ chunks: ['Hel'], error: new ChatModelException('the key sk-1 is wrong') }];
  expect((await ask(script)).at(-1)).toEqual({
    type: 'error',
    data: { message: 'The answer could not be completed.' },
  });
  expect((await ask(script, 'kind')).at(-1)).toEqual({ type: 'error', data: { message: 'Sorry: ChatModelException' } });
});

test('comments keep a silent connection open, and are no events', async () => {
  const script = [{ chunks: ['Hello ', 'Ada.'], delay: 50 }];
  const { url } = await serve(new ScriptedChatModel([...script, ...script]), {
    controllers: [ChatController],
    providers: [Orders],
  });
  const text = await (await fetch(`${url}/lively?q=Hello`)).text();
  expect(text).toContain('\n\n: alive\n\n');
  // Events are still counted one by one.
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual([1, 2, 3]);
  expect((await allEvents(`${url}/lively?q=Hello`)).map(({ type }) => type)).toEqual(['text', 'text', 'finish']);
});

import { describe, expect, it } from '@jest/globals';
import { Controller, type ExecutionContext, Get, Inject, Injectable, Req } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { allEvents, serve } from './http-application.js';
import { ClsModule, ClsService } from 'nestjs-cls';
import { ChatModule } from './request-store.js';

type Store = InstanceType<typeof ClsService>;

/** Asks for the tool that the question names, and answers with what it said. */
const turn: ScriptEntry = ({ messages }) => {
  const last = messages.at(-1)!;
  if (last.role !== 'tool') return { toolCalls: [toolCall(last.text), toolCall(last.text)] };
  return { chunks: [last.responses.map(({ responseData }) => responseData).join(', ')] };
};
const chatty = () => new ScriptedChatModel(Array.from({ length: 20 }, () => turn));
const as = (user: string) => ({ headers: { 'x-user': user } });
const both = (user: string) => `The orders of ${user}, The orders of ${user}`;

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('the store that the middleware of nestjs-cls makes, on %s', (_name, makeAdapter) => {
  it('is there in the tools of an answer in one piece, and in those of a stream', async () => {
    const { url } = await serve(chatty(), { imports: [ChatModule] }, { adapter: makeAdapter() });
    const response = await fetch(`${url}/chat?q=orders`, as('ada'));
    expect(await response.json()).toEqual({ answer: both('ada') });
    expect(await allEvents(`${url}/chat/stream?q=orders`, as('ada'))).toEqual([
      { type: 'message', data: { text: both('ada') } },
    ]);
  });

  it('is never that of another request', async () => {
    const { url } = await serve(chatty(), { imports: [ChatModule] }, { adapter: makeAdapter() });
    const users = ['ada', 'bob', 'eve'];
    const asked = users.map((user) => allEvents(`${url}/chat/stream?q=orders`, as(user)));
    const seen = (await Promise.all(asked)).map((events) => events.map(({ data }) => data));
    expect(seen).toEqual(users.map((user) => [{ text: both(user) }]));
  });
});

describe('the store that an enhancer of nestjs-cls makes', () => {
  @Injectable()
  class Tools {
    constructor(@Inject(ClsService) private readonly store: Store) {}

    @Tool() whoami() {
      return this.store.get('user') ?? 'nobody';
    }
  }

  @Controller()
  class ChatController {
    constructor(private readonly chatClient: ChatClient) {}

    @Get('without-request')
    withoutRequest() {
      return this.chatClient.prompt('whoami').call().content();
    }

    @Get('with-request')
    withRequest(@Req() request: object) {
      return this.chatClient.prompt('whoami').request(request).call().content();
    }
  }

  it.each(['guard', 'interceptor'])(
    'is a new one for each tool call (%s), which is set up of the request that the caller gives',
    async (kind) => {
      const setup = (store: Store, context: ExecutionContext) => {
        const request = context
          .switchToHttp()
          .getRequest<{ headers: Record<string, string> } | undefined>();
        store.set('user', request?.headers['x-user']);
      };
      const imports = [ClsModule.forRoot({ global: true, [kind]: { mount: true, setup } })];
      const { url } = await serve(chatty(), {
        imports,
        controllers: [ChatController],
        providers: [Tools],
      });
      const answer = async (path: string) => (await fetch(`${url}/${path}`, as('ada'))).text();
      expect(await answer('without-request')).toBe('nobody, nobody');
      expect(await answer('with-request')).toBe('ada, ada');
    },
  );
});

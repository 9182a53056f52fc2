import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Query,
  Req,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AiToolExecutionContext, ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { serve } from './http-application.js';
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { ChatModule, HttpThrottlerGuard } from './throttling.js';

@Injectable()
class Tools {
  @Tool() greet() {
    return 'Hello';
  }

  @SkipThrottle()
  @Tool()
  free() {
    return 'Free';
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Get('without-request')
  withoutRequest(@Query('q') question: string) {
    return this.chatClient.prompt(question).call().content();
  }

  @Get('with-request')
  withRequest(@Query('q') question: string, @Req() request: object) {
    return this.chatClient.prompt(question).request(request).call().content();
  }
}

/** Asks for the tool that the question names, and answers with what it said. */
const turn: ScriptEntry = ({ messages }) => {
  const last = messages.at(-1)!;
  if (last.role === 'tool') return last.responses.map(({ responseData }) => responseData).join();
  return { toolCalls: [toolCall(last.text)] };
};
const chatty = () => new ScriptedChatModel(Array.from({ length: 40 }, () => turn));

interface ThrottlerOptions {
  readonly setHeaders?: boolean;
  readonly skipIf?: (context: ExecutionContext) => boolean;
}

async function serveBehind(guard: Type<unknown>, limit: number, options: ThrottlerOptions = {}) {
  const { app, url } = await serve(chatty(), {
    imports: [ThrottlerModule.forRoot({ throttlers: [{ limit, ttl: 60_000 }], ...options })],
    controllers: [ChatController],
    providers: [Tools, { provide: APP_GUARD, useClass: guard }],
  });
  const get = async (path: string, tool = 'greet') => {
    const response = await fetch(`${url}/${path}?q=${tool}`);
    return `${response.status} ${response.ok ? await response.text() : ''}`.trim();
  };
  return { app, get };
}

describe('the ThrottlerGuard as it is, as a global guard', () => {
  it('lets no tool run: it fails on the request that a call does not have, or on the response that no call has', async () => {
    const { get } = await serveBehind(ThrottlerGuard, 10);
    expect(await get('without-request')).toBe('200 The tool cannot be called now.');
    expect(await get('with-request')).toBe('200 The tool cannot be called now.');
  });

  it('without headers counts the calls of each tool by the address of the request, if there is one', async () => {
    const { app, get } = await serveBehind(ThrottlerGuard, 2, { setHeaders: false });
    expect(await get('without-request')).toBe('200 The tool cannot be called now.');
    expect([await get('with-request'), await get('with-request')]).toEqual([
      '200 Hello',
      '200 Hello',
    ]);
    const again = app.get(ChatClient).prompt('greet').request({ ip: '127.0.0.1', headers: {} });
    expect(await again.call().content()).toBe('ThrottlerException: Too Many Requests');
    const another = app.get(ChatClient).prompt('greet').request({ ip: '127.0.0.2', headers: {} });
    expect(await another.call().content()).toBe('Hello');
  });

  it('leaves out tools with @SkipThrottle()', async () => {
    const { get } = await serveBehind(ThrottlerGuard, 10);
    expect(await get('without-request', 'free')).toBe('200 Free');
    expect(await get('with-request', 'free')).toBe('200 Free');
  });
});

describe.each([
  ['that skips tool calls', HttpThrottlerGuard as Type<unknown>, {}],
  [
    'whose module skips them',
    ThrottlerGuard as Type<unknown>,
    { skipIf: AiToolExecutionContext.is },
  ],
])('a ThrottlerGuard %s', (_name, guard, options) => {
  it('counts requests and no tool calls', async () => {
    const { get } = await serveBehind(guard, 2, options);
    const answers = [
      await get('with-request'),
      await get('with-request'),
      await get('with-request'),
    ];
    expect(answers).toEqual(['200 Hello', '200 Hello', '429']);
    expect([await get('without-request'), await get('without-request')]).toEqual([
      '200 Hello',
      '200 Hello',
    ]);
  });
});

describe('the recipe', () => {
  it('limits questions over HTTP with 429 and headers, and calls of a tool with words for the model', async () => {
    const inStock = {
      toolCalls: ['lamp', 'sofa', 'bed'].map((article) => toolCall('inStock', { article })),
    };
    const model = new ScriptedChatModel([inStock, 'Three of each.', 'Hello.', 'Bye.']);
    const { url } = await serve(model, { imports: [ChatModule] });
    const first = await fetch(`${url}/chat?q=stock`);
    expect(await first.json()).toEqual({ answer: 'Three of each.' });
    expect(first.headers.get('x-ratelimit-limit')).toBe('3');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('2');
    expect(model.toolResponses).toEqual([
      '3 of lamp',
      '3 of sofa',
      expect.stringMatching(
        /^The tool 'inStock' takes 2 calls in 60 s\. Try again in \d+ s, or go on without it\.$/,
      ),
    ]);
    const statuses = [];
    for (const q of ['hello', 'bye', 'again'])
      statuses.push((await fetch(`${url}/chat?q=${q}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    model.assertDone();
  });
});

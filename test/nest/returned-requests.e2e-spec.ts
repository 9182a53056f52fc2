import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  Get,
  Logger,
  type NestInterceptor,
  Param,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ChatClient, toSse } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { toUIMessageStream } from '@nestor-ai/ui';
import { serve } from '../recipes/http-application.js';

const NOTHING: NestInterceptor = { intercept: (_context, next: CallHandler) => next.handle() };

@Controller()
class ChatController {
  constructor(private readonly client: ChatClient) {}

  @Post('returned/:what') returned(@Param('what') what: string): unknown {
    return this.mistake(what);
  }

  @Get('intercepted/:what') @UseInterceptors(NOTHING) async intercepted(@Param('what') what: string): Promise<unknown> {
    return this.mistake(what);
  }

  @Post('streamed/:what') streamed(@Param('what') what: string): unknown {
    const stream = this.client.prompt('Hi').stream();
    if (what === 'an entity') return stream.entity({ type: 'object' });
    if (what === 'text') return stream.content();
    if (what === 'server-sent events') return toSse(stream.events());
    return what === 'a UI message' ? toUIMessageStream(stream.events()) : stream.events();
  }

  @Post('promised/:what') promised(@Param('what') what: 'content' | 'chatResponse' | 'chatClientResponse'): unknown {
    return { answer: this.client.prompt('Hi').call()[what]() };
  }

  @Post('promised-entity/:what') promisedEntity(@Param('what') what: 'entity' | 'responseEntity'): unknown {
    const call = this.client.prompt('Hi').call();
    return { answer: what === 'entity' ? call.entity({ type: 'object' }) : call.responseEntity({ type: 'object' }) };
  }

  private mistake(what: string): unknown {
    const request = this.client.prompt('Hi');
    switch (what) {
      case 'a request':
        return { answer: request };
      case 'a call':
        return request.call();
      case 'a spec of streams':
        return [request.stream()];
      default:
        return { answer: request.stream().content() };
    }
  }
}

const MISTAKES = {
  'a request': 'Add .call().content() to the request',
  'a call': 'Add .content() to the request',
  'a spec of streams': 'Add .call().content() in place of .stream()',
  'a stream in an object': 'Add .call().content() in place of .stream()',
};

// That of Node.js. Jest has a longer one.
const { stackTraceLimit } = Error;
beforeEach(() => void (Error.stackTraceLimit = 10));
afterEach(() => {
  Error.stackTraceLimit = stackTraceLimit;
  jest.restoreAllMocks();
});

const model = (): ScriptedChatModel => new ScriptedChatModel([{ chunks: ['{"a":', '1}'] }]);

test.each([
  ['Express', undefined],
  ['Fastify', () => new FastifyAdapter()],
])('on %s, the filter and the log say what is missing when a handler returns no answer', async (_name, adapter) => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const asked = model();
  const { url } = await serve(asked, { controllers: [ChatController] }, { ...(adapter && { adapter: adapter() }) });
  for (const [what, remedy] of Object.entries(MISTAKES)) {
    for (const [path, method] of [
      ['returned', 'POST'],
      ['intercepted', 'GET'],
    ] as const) {
      logged.mockClear();
      const response = await fetch(`${url}/${path}/${what}`, { method });
      expect([what, path, response.status, await response.json()]).toEqual([
        what,
        path,
        500,
        { statusCode: 500, message: expect.stringContaining(remedy), error: 'Internal Server Error' },
      ]);
      expect(logged.mock.calls).toEqual([[expect.stringContaining(remedy), expect.anything()]]);
    }
  }
  for (const what of ['events', 'text', 'server-sent events', 'a UI message']) {
    logged.mockClear();
    const response = await fetch(`${url}/streamed/${what}`, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining('Write @Sse() in place of'),
    ]);
    expect(logged.mock.calls).toEqual([[expect.stringContaining('Write @Sse() in place of'), expect.anything()]]);
  }
  expect(asked.prompts).toHaveLength(0);
  // Its last value is the whole.
  expect(await (await fetch(`${url}/streamed/an entity`, { method: 'POST' })).json()).toEqual({ a: 1 });
});

test('the filter and the log say that await is missing when a handler returns an answer that is still on its way', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const { url } = await serve(new ScriptedChatModel(() => '{}'), { controllers: [ChatController] });
  const ways = ['content', 'chatResponse', 'chatClientResponse'].map((what) => `promised/${what}`);
  for (const path of [...ways, 'promised-entity/entity', 'promised-entity/responseEntity']) {
    const response = await fetch(`${url}/${path}`, { method: 'POST' });
    expect([path, response.status, await response.text()]).toEqual([
      path,
      500,
      expect.stringContaining('Add await to the request'),
    ]);
    expect(logged.mock.lastCall).toEqual([expect.stringContaining('Add await to the request'), expect.anything()]);
  }
});

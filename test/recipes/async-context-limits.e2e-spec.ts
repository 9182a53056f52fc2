import { describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Injectable, Query, Req } from '@nestjs/common';
import { ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { serve } from './http-application.js';

const store = new AsyncLocalStorage<{ user: string }>();
const whoami = (): string => store.getStore()?.user ?? 'nobody';

@Injectable()
class Tools {
  @Tool({ cacheTtl: 60_000 }) cached() {
    return whoami();
  }
  @Tool({ needsApproval: true }) approved() {
    return `run by ${whoami()}`;
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Get('plain')
  plain(@Query('q') question: string) {
    return this.chatClient.prompt(question).call().content();
  }

  @Get('with-request')
  withRequest(@Query('q') question: string, @Req() request: object) {
    return this.chatClient.prompt(question).request(request).call().content();
  }

  @Get('with-context')
  withContext(@Query('q') question: string) {
    return this.chatClient.prompt(question).toolContext({ user: whoami() }).call().content();
  }

  @Get('ask')
  async ask(@Query('q') question: string) {
    const response = await this.chatClient.prompt(question).call().chatResponse();
    return String(response!.metadata['turnId']);
  }

  @Get('approve')
  approve(@Query('turn') turnId: string) {
    const approvals = [{ toolCallId: 'call_1', approved: true }];
    return this.chatClient.prompt().toolApprovals(approvals, { turnId }).call().content();
  }
}

/** Asks for the tool that the question names, and answers with what it said. */
const turn: ScriptEntry = ({ messages }) => {
  const last = messages.at(-1)!;
  if (last.role === 'tool') return last.responses[0]!.responseData;
  return { toolCalls: [toolCall(last.text, {}, 'call_1')] };
};

async function start() {
  const configure = (app: INestApplication) =>
    app.use((request: IncomingMessage, _response: unknown, next: () => void) =>
      store.run({ user: String(request.headers['x-user']) }, next),
    );
  const model = new ScriptedChatModel(Array.from({ length: 8 }, () => turn));
  const { url } = await serve(
    model,
    { controllers: [ChatController], providers: [Tools] },
    { configure },
  );
  return async (path: string, user: string) =>
    (await fetch(`${url}/${path}`, { headers: { 'x-user': user } })).text();
}

describe('a tool with cacheTtl that reads the store of an HTTP request', () => {
  it('gives one user what it gave another', async () => {
    const get = await start();
    expect(await get('plain?q=cached', 'ada')).toBe('ada');
    expect(await get('plain?q=cached', 'bob')).toBe('ada');
  });

  it.each(['with-request', 'with-context'])(
    'keeps users apart when the caller says who asks (%s)',
    async (path) => {
      const get = await start();
      const answers = [await get(`${path}?q=cached`, 'ada'), await get(`${path}?q=cached`, 'bob')];
      expect(answers).toEqual(['ada', 'bob']);
    },
  );
});

describe('a tool that waited for approval', () => {
  it('runs in the store of the request that approves it', async () => {
    const get = await start();
    const turnId = await get('ask?q=approved', 'ada');
    expect(await get(`approve?turn=${turnId}`, 'chief')).toBe('run by chief');
  });
});

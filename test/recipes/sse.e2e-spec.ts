import { describe, expect, it } from '@jest/globals';
import {
  ConsoleLogger,
  Controller,
  Get,
  HttpException,
  Injectable,
  type MessageEvent,
  Post,
  Query,
  Res,
  Sse,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ChatClient, type ChatResponse, type Prompt, Tool, ToolContext } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import type { ServerResponse } from 'node:http';
import { concat, map, NEVER, type Observable, tap } from 'rxjs';
import { allEvents, eventsOf, serve, type ServerSentEvent, signalled } from './http-application.js';

/** A model that begins to answer and then says nothing more. */
class SilentModel extends ScriptedChatModel {
  readonly asked = signalled();
  readonly abandoned = signalled();

  override async call(prompt: Prompt): Promise<ChatResponse> {
    await super.call(prompt);
    this.asked.give();
    return new Promise((_resolve, reject) => {
      prompt.options!.signal!.addEventListener('abort', () => {
        this.abandoned.give();
        reject(new Error('aborted'));
      });
    });
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    this.asked.give();
    return concat(super.stream(prompt), NEVER).pipe(
      tap({ unsubscribe: () => this.abandoned.give() }),
    );
  }
}

@Injectable()
class Reports {
  readonly begun = signalled();
  readonly aborted: string[] = [];
  readonly allAborted = signalled();

  @Tool()
  async *report(topic: string) {
    yield 'collecting';
    yield `All about ${topic}`;
  }

  /** Takes for ever, unless it is told to stop. */
  @Tool()
  dig(place: string, context: ToolContext) {
    return new Promise<string>((_resolve, reject) => {
      if (place === 'cellar') this.begun.give();
      context.signal.addEventListener('abort', () => {
        this.aborted.push(place);
        if (this.aborted.length === 2) this.allAborted.give();
        reject(new Error('stopped'));
      });
    });
  }

  @Tool()
  fail() {
    throw new Error('The archive is closed');
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Sse('text')
  text(@Query('q') question: string): Observable<MessageEvent> {
    const answer = this.chatClient.prompt(question).stream().content();
    return answer.pipe(map((text) => ({ data: { text } })));
  }

  @Sse('events')
  events(@Query('q') question: string): Observable<MessageEvent> {
    const events = this.chatClient.prompt(question).stream().events();
    return events.pipe(map(({ type, ...data }) => ({ type, data })));
  }

  @Post('pieces')
  pieces(@Query('q') question: string): AsyncIterable<string> {
    return this.chatClient.prompt(question).stream().content()[Symbol.asyncIterator]();
  }

  @Get('last')
  last(@Query('q') question: string): Observable<string> {
    return this.chatClient.prompt(question).stream().content();
  }

  @Get('whole')
  async whole(@Query('q') question: string, @Res({ passthrough: true }) response: ServerResponse) {
    const gone = new AbortController();
    ('raw' in response ? (response.raw as ServerResponse) : response).once('close', () =>
      gone.abort(new HttpException('The client has gone.', 499)),
    );
    return {
      answer: await this.chatClient
        .prompt(question)
        .options({ signal: gone.signal })
        .call()
        .content(),
    };
  }
}

const metadata = { controllers: [ChatController], providers: [Reports] };
const adapters = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;

describe.each(adapters)('server-sent events on %s', (_name, makeAdapter) => {
  const ask = (model: ScriptedChatModel) => serve(model, metadata, { adapter: makeAdapter() });

  it('bring the answer piece by piece', async () => {
    const { url } = await ask(new ScriptedChatModel([{ chunks: ['Once ', 'upon\n', 'a time'] }]));
    expect(await allEvents(`${url}/text?q=story`)).toEqual([
      { type: 'message', data: { text: 'Once ' } },
      { type: 'message', data: { text: 'upon\n' } },
      { type: 'message', data: { text: 'a time' } },
    ]);
  });

  it('tell of tool calls, their progress, what they gave and what failed', async () => {
    const toolCalls = [toolCall('report', { topic: 'owls' }, '1'), toolCall('fail', {}, '2')];
    const { url } = await ask(new ScriptedChatModel([{ toolCalls }, 'Here.']));
    const events = await allEvents(`${url}/events?q=owls`);
    const idOf = ({ data }: ServerSentEvent) =>
      (data as { toolCall?: { id: string } }).toolCall?.id;
    const typesOf = (id: string) =>
      events.filter((event) => idOf(event) === id).map(({ type }) => type);
    expect(typesOf('1')).toEqual(['tool-call', 'tool-progress', 'tool-result']);
    expect(typesOf('2')).toEqual(['tool-call', 'tool-error']);
    const progress = { toolCall: { id: '1', name: 'report' }, value: 'collecting' };
    expect(events).toContainEqual({ type: 'tool-progress', data: progress });
    expect(events.filter((event) => idOf(event) === undefined)).toEqual([
      { type: 'text', data: { text: 'Here.', round: 1 } },
      { type: 'finish', data: { finishReason: 'stop' } },
    ]);
  });

  it('are what a stream is for: elsewhere Nest would send only the last piece of it', async () => {
    const { url } = await ask(new ScriptedChatModel([]));
    const response = await fetch(`${url}/last?q=story`);
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining('Write @Sse()'),
    ]);
  });

  it('end with an error event that reveals nothing when the model fails', async () => {
    const { url } = await ask(
      new ScriptedChatModel([{ chunks: ['Well'], error: new Error('key sk-123 is wrong') }]),
    );
    expect(await allEvents(`${url}/text?q=hello`)).toEqual([
      { type: 'message', data: { text: 'Well' } },
      { type: 'error', data: 'Internal server error' },
    ]);
  });
});

describe.each(adapters)('a client that goes away, on %s', (_name, makeAdapter) => {
  const ask = (model: ScriptedChatModel) => serve(model, metadata, { adapter: makeAdapter() });

  it.each(['text', 'events'])('ends the call of a model that is answering (%s)', async (path) => {
    const model = new SilentModel([{ chunks: ['Once'] }]);
    const { url } = await ask(model);
    for await (const _event of eventsOf(`${url}/${path}?q=story`)) break;
    await model.abandoned.seen;
  });

  it.each(['text', 'pieces', 'whole'])(
    'ends the call of a model that has not said anything yet (%s)',
    async (path) => {
      const model = new SilentModel([{ chunks: [] }]);
      const { url } = await ask(model);
      const gone = new AbortController();
      const init = { method: path === 'pieces' ? 'POST' : 'GET', signal: gone.signal };
      const request = fetch(`${url}/${path}?q=story`, init).then((response) => response.text());
      const failure = request.catch(({ name }: Error) => name);
      await model.asked.seen;
      gone.abort();
      await model.abandoned.seen;
      expect(await failure).toBe('AbortError');
    },
  );

  it('aborts every tool that runs, and the model is not asked again', async () => {
    const calls: ScriptEntry = {
      text: 'Let me see',
      toolCalls: [toolCall('dig', { place: 'attic' }), toolCall('dig', { place: 'cellar' })],
    };
    const model = new ScriptedChatModel([calls, 'never said']);
    const { app, url } = await ask(model);
    const tools = app.get(Reports);
    for await (const _event of eventsOf(`${url}/events?q=bones`)) {
      await tools.begun.seen;
      break;
    }
    await tools.allAborted.seen;
    expect(tools.aborted.toSorted()).toEqual(['attic', 'cellar']);
    await app.close();
    expect(model.prompts).toHaveLength(1);
  });

  it('ends the call of a model that is answering a handler which returns the iterator of the stream', async () => {
    const model = new SilentModel([{ chunks: ['Once'] }]);
    const { url } = await ask(model);
    const gone = new AbortController();
    const response = await fetch(`${url}/pieces?q=story`, { method: 'POST', signal: gone.signal });
    const { value } = await response.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toBe('Once');
    gone.abort();
    await model.abandoned.seen;
  });
});

class ErrorLog extends ConsoleLogger {
  readonly errors: unknown[] = [];
  protected override printMessages(messages: unknown[], _context = '', level = 'log') {
    if (level === 'error') this.errors.push(...messages);
  }
}

describe.each(adapters)(
  'a client that goes away is no error for the log, on %s',
  (_name, makeAdapter) => {
    it.each(['text', 'events', 'pieces', 'whole'])('%s', async (path) => {
      const model = new SilentModel([{ chunks: ['Once'] }]);
      const logger = new ErrorLog();
      const { app, url } = await serve(model, metadata, { adapter: makeAdapter(), logger });
      const gone = new AbortController();
      const init = { method: path === 'pieces' ? 'POST' : 'GET', signal: gone.signal };
      const request = fetch(`${url}/${path}?q=story`, init).then((response) => response.text());
      const failure = request.catch(({ name }: Error) => name);
      await model.asked.seen;
      gone.abort();
      await model.abandoned.seen;
      expect(await failure).toBe('AbortError');
      await app.close();
      expect(logger.errors).toEqual([]);
    });
  },
);

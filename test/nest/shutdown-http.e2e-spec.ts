import { describe, expect, it } from '@jest/globals';
import { Controller, Get, type MessageEvent, Module, Sse } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AiModule, ChatClient, ChatModel, ChatResponse, toSse } from '@nestor-ai/core';
import { toUIMessageStreamResponse } from '@nestor-ai/ui';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Agent, get, type IncomingMessage } from 'node:http';
import { firstValueFrom, NEVER, type Observable, Subject, switchMap, take } from 'rxjs';
import { signalled } from '../recipes/http-application.js';

/** A model that answers when it is told to. */
class Held extends ScriptedChatModel {
  readonly #release = new Subject<void>();
  readonly asked = signalled();
  override async call(...[prompt]: Parameters<ChatModel['call']>) {
    this.asked.give();
    await firstValueFrom(this.#release);
    return super.call(prompt);
  }
  override stream(...[prompt]: Parameters<ChatModel['stream']>) {
    this.asked.give();
    return this.#release.pipe(
      take(1),
      switchMap(() => super.stream(prompt)),
    );
  }
  release() {
    this.#release.next();
  }
}

/** A model that never answers, and does not listen. */
class Deaf extends ChatModel {
  readonly asked = signalled();
  call(): Promise<ChatResponse> {
    this.asked.give();
    return new Promise(() => undefined);
  }
  stream(): Observable<ChatResponse> {
    this.asked.give();
    return NEVER;
  }
}

@Controller()
class ChatController {
  constructor(private readonly client: ChatClient) {}
  @Sse('sse') sse(): Observable<MessageEvent> {
    return toSse(this.client.prompt('Go').stream().events());
  }
  @Get('ui') ui() {
    return toUIMessageStreamResponse(this.client.prompt('Go').stream().events());
  }
  @Get('plain') plain() {
    return this.client.prompt('Go').call().content();
  }
  @Get('other') other() {
    return 'other';
  }
}

const PLATFORMS = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
} as const;
type Platform = keyof typeof PLATFORMS;

async function serve(platform: Platform, chatModel: ChatModel, drainTimeout: string | number, options = {}) {
  const properties = { shutdown: { drainTimeout: drainTimeout as number }, tools: { shutdownTimeout: 20 } };
  @Module({
    imports: [AiModule.forRoot({ chatModel, properties })],
    controllers: [ChatController],
  })
  class AppModule {}
  const all = { logger: false as const, ...options };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, PLATFORMS[platform](), all);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

/** Asks over a connection that the client keeps. */
function ask(url: string): Promise<{ response: IncomingMessage; text: Promise<string> }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: new Agent({ keepAlive: true }) }, (response) => {
      const text = response.setEncoding('utf8').toArray() as Promise<string[]>;
      resolve({ response, text: text.then((pieces) => pieces.join('')) });
    }).on('error', reject);
  });
}

const cells = (Object.keys(PLATFORMS) as Platform[]).flatMap((platform) =>
  ['sse', 'ui', 'plain'].map((path) => ({ platform, path })),
);

/** What each way of answering says of a turn that was aborted. */
const CUT_OFF: Readonly<Record<string, string>> = {
  sse: 'event: error\nid: 1\ndata: {"message":"The application is shutting down."}\n\n',
  ui: 'data: {"type":"error","errorText":"The application is shutting down."}\n\ndata: [DONE]\n\n',
  plain: '{"message":"The application is shutting down.","error":"Service Unavailable","statusCode":503}',
};
const ANSWERED: Readonly<Record<string, string>> = {
  sse: 'event: finish\nid: 2\ndata: {"finishReason":"stop"}\n\n',
  ui: 'data: {"type":"finish","finishReason":"stop"}\n\ndata: [DONE]\n\n',
  plain: 'Hello',
};

describe('a server that ends while an answer is under way', () => {
  // With connections that waited out their keep-alive, these would take 6 seconds on Express, and 73 on Fastify.
  it.each(cells)(
    'sends the answer, and does not wait for the connection: $platform, $path',
    async ({ platform, path }) => {
      const model = new Held(['Hello']);
      const { app, url } = await serve(platform, model, '5s');
      const asked = ask(`${url}/${path}`);
      await model.asked.seen;
      const closed = app.close();
      await new Promise((resolve) => setTimeout(resolve, 20));
      model.release();
      const { text } = await asked;
      expect((await text).endsWith(ANSWERED[path]!)).toBe(true);
      await closed;
    },
  );

  it.each(cells)('says so when it is cut off: $platform, $path', async ({ platform, path }) => {
    const model = new Deaf();
    const { app, url } = await serve(platform, model, '20ms');
    const asked = ask(`${url}/${path}`);
    await model.asked.seen;
    await app.close();
    const { text } = await asked;
    expect((await text).endsWith(CUT_OFF[path]!)).toBe(true);
  });

  it.each(cells)('says so also where connections are destroyed: $platform, $path', async ({ platform, path }) => {
    const model = new Deaf();
    const { app, url } = await serve(platform, model, 0, { forceCloseConnections: true });
    const asked = ask(`${url}/${path}`);
    await model.asked.seen;
    await app.close();
    const { text } = await asked;
    expect((await text).endsWith(CUT_OFF[path]!)).toBe(true);
  });

  it.each(Object.keys(PLATFORMS) as Platform[])(
    'answers other requests meanwhile, and has their connections closed: %s',
    async (platform) => {
      const model = new Held(['Hello']);
      const { app, url } = await serve(platform, model, '5s');
      const asked = ask(`${url}/plain`);
      await model.asked.seen;
      const closed = app.close();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { response, text } = await ask(`${url}/other`);
      expect([response.statusCode, response.headers.connection, await text]).toEqual([200, 'close', 'other']);
      model.release();
      expect(await (await asked).text).toBe('Hello');
      await closed;
    },
  );

  it.each(Object.keys(PLATFORMS) as Platform[])('does not wait where no turn runs: %s', async (platform) => {
    const { app, url } = await serve(platform, new Deaf(), '5s');
    const { text } = await ask(`${url}/other`);
    expect(await text).toBe('other');
    await app.close();
  });
});

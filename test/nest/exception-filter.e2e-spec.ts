import { describe, expect, it, jest } from '@jest/globals';
import {
  type ArgumentsHost,
  Body,
  Catch,
  ConsoleLogger,
  Controller,
  type ExceptionFilter,
  Get,
  Header,
  HttpException,
  Injectable,
  type INestApplication,
  Logger,
  Module,
  type NestMiddleware,
  NotFoundException,
  Param,
  Post,
  type Provider,
  Sse,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ClientProxyFactory, MessagePattern, type TcpOptions, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  AiExceptionFilter,
  AiModule,
  AiShutdownException,
  ChatClient,
  ChatMemory,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  ChatModelException,
  ConversationLockTimeoutException,
  ModelTimeoutException,
  StructuredOutputException,
  Tool,
  type ToolApproval,
  ToolApprovalException,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { firstValueFrom } from 'rxjs';

const SECRET = 'sk-123 said: my dog is ill';

const failure = (given: ConstructorParameters<typeof ChatModelException>[1]) =>
  new ChatModelException(SECRET, { responseBody: SECRET, ...given });
const inHalfAMinute = new Date(Date.now() + 30_000).toUTCString();

/** What is thrown, and what is answered. */
const ANSWERS: Readonly<Record<string, readonly [Error, number, string, string?]>> = {
  'no such call': [new ToolApprovalException(SECRET, 'not-found'), 404, 'This tool call does not wait for approval.'],
  'decided already': [new ToolApprovalException(SECRET, 'conflict'), 409, 'The tool call has already been decided.'],
  'may have run': [
    new ToolApprovalException(SECRET, 'uncertain'),
    409,
    'A tool call may have run. Decide about it first.',
  ],
  'an approval of nothing': [
    new ToolApprovalException(SECRET, 'invalid'),
    400,
    'Send the toolCallId of a call that waits, approved (true or false), and input if it asks for some.',
  ],
  'the conversation is busy': [new ConversationLockTimeoutException(SECRET, 200), 503, 'The conversation is busy.'],
  'the application ends': [new AiShutdownException(), 503, 'The application is shutting down.'],
  'wrong key': [failure({ httpStatus: 401 }), 502, 'The model could not answer.'],
  'no connection': [failure({ code: 'ECONNREFUSED', isRetryable: true }), 502, 'The model could not answer.'],
  overloaded: [failure({ httpStatus: 529 }), 503, 'The model is not available now.'],
  'rate limit': [
    failure({ httpStatus: 429, responseHeaders: { 'retry-after': '7' } }),
    503,
    'The model is not available now.',
    '7',
  ],
  'rate limit in milliseconds': [
    failure({ httpStatus: 429, responseHeaders: { 'retry-after-ms': '1200' } }),
    503,
    'The model is not available now.',
    '2',
  ],
  'rate limit of nonsense': [
    failure({ httpStatus: 429, responseHeaders: { 'retry-after': 'soon\r\nset-cookie: a=b' } }),
    503,
    'The model is not available now.',
  ],
  'rate limit for ever': [
    failure({ httpStatus: 429, responseHeaders: { 'retry-after': 'Infinity' } }),
    503,
    'The model is not available now.',
  ],
  'asks to wait': [
    failure({ httpStatus: 500, responseHeaders: { 'retry-after': inHalfAMinute } }),
    503,
    'The model is not available now.',
    '30',
  ],
  'its gateway timed out': [failure({ httpStatus: 504 }), 504, 'The model did not answer in time.'],
  'no headers in time': [failure({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 504, 'The model did not answer in time.'],
  'an answer of another form': [new StructuredOutputException(SECRET, SECRET), 502, 'The model could not answer.'],
  'a timeout of its own': [new ModelTimeoutException('timeout', 200), 504, 'The model did not answer in time.'],
};

@Injectable()
class Shop {
  @Tool({ needsApproval: true }) refund() {
    return 'refunded';
  }
  @Tool() askAnother(): never {
    throw failure({ httpStatus: 500 });
  }
}

@Controller()
class ChatController {
  constructor(private readonly client: ChatClient) {}

  @Get('thrown/:what') thrown(@Param('what') what: string) {
    throw ANSWERS[what]![0];
  }
  @Sse('sse/:what') sse(@Param('what') what: string): never {
    throw ANSWERS[what]![0];
  }
  @Post('ask') ask(@Body() body: { question?: string; conversation?: string }) {
    const prompt = this.client.prompt(body.question);
    return (body.conversation === undefined ? prompt : prompt.conversation(body.conversation)).call().content();
  }
  @Post('ask-by-parameter') askByParameter(@Body() { conversation }: { conversation: string }) {
    const memory = new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() });
    const prompt = this.client.prompt('Hi').advisors(memory);
    prompt.advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, conversation));
    return prompt.call().content();
  }
  @Post('approve') approve(@Body() { approvals, turnId }: { approvals: ToolApproval[]; turnId?: string }) {
    return this.client.prompt().toolApprovals(approvals, { turnId }).call().content();
  }
  @Header('retry-after', '99') @Get('waiting') waiting() {
    throw failure({ httpStatus: 429, responseHeaders: { 'retry-after': '7' } });
  }
  @Get('foreign') foreign() {
    throw new NotFoundException('No such page');
  }
  @Get('unknown') unknown() {
    throw new Error('a bug');
  }
  @MessagePattern('ask') message() {
    throw failure({ httpStatus: 500 });
  }
  @Get('middleware') middleware() {
    return 'never';
  }
}

class Failing implements NestMiddleware {
  use(): never {
    throw failure({ httpStatus: 500 });
  }
}

class Log extends ConsoleLogger {
  readonly errors: unknown[] = [];
  protected override printMessages(messages: unknown[], _context = '', level = 'log') {
    if (level === 'error') this.errors.push(...messages.map(String));
  }
  protected override printStackTrace() {}
}

const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;

@Catch()
class Teapots implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<ServerResponse>().writeHead(418).end('{}');
  }
}

@Catch()
class Everything implements ExceptionFilter {
  catch(exception: Error, host: ArgumentsHost): unknown {
    return new AiExceptionFilter().catch(exception, host);
  }
}

const REGISTRATIONS: readonly (readonly [string, Provider[], (app: INestApplication) => unknown])[] = [
  ['AiModule alone', [], () => undefined],
  ['APP_FILTER', [{ provide: APP_FILTER, useClass: AiExceptionFilter }], () => undefined],
  ['a filter for everything', [{ provide: APP_FILTER, useClass: Everything }], () => undefined],
  ['useGlobalFilters()', [], (app) => app.useGlobalFilters(new AiExceptionFilter())],
];

async function serve(
  makeAdapter: () => ExpressAdapter | FastifyAdapter,
  providers: Provider[],
  configure: (app: INestApplication) => unknown,
) {
  const logger = new Log();
  const model = new ScriptedChatModel([{ toolCalls: [toolCall('askAnother')] }, 'Sorry.']);
  @Module({
    imports: [AiModule.forRoot({ chatModel: model, properties: { shutdown: { drainTimeout: 0 } } })],
    controllers: [ChatController],
    providers: [Shop, ...providers],
  })
  class AppModule {
    configure(consumer: { apply(type: unknown): { forRoutes(path: string): void } }) {
      consumer.apply(Failing).forRoutes('middleware');
    }
  }
  const app = await NestFactory.create(AppModule, makeAdapter() as ExpressAdapter, {
    logger,
    forceCloseConnections: true,
  });
  configure(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const send = async (path: string, body?: object) => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const response = await fetch(`${url}/${path}`, init);
    const text = await response.text();
    expect(text).not.toContain('dog');
    return { status: response.status, body: JSON.parse(text) as object, headers: response.headers };
  };
  return { app, model, logger, send };
}

const ways = PLATFORMS.flatMap(([platform, makeAdapter]) =>
  REGISTRATIONS.map(([how, providers, configure]) => ({
    platform,
    how,
    start: () => serve(makeAdapter, providers, configure),
  })),
);

describe.each(ways)('AiExceptionFilter on $platform, with $how', ({ start }) => {
  it('answers what has failed with a status that says why', async () => {
    const { app, send } = await start();
    try {
      for (const path of ['thrown', 'sse']) {
        for (const [what, [, status, message, retryAfter]] of Object.entries(ANSWERS)) {
          const answer = await send(`${path}/${encodeURIComponent(what)}`);
          expect([what, answer.status, answer.body]).toEqual([
            what,
            status,
            { statusCode: status, message, error: expect.any(String) },
          ]);
          const given = answer.headers.get('retry-after') ?? undefined;
          // A date is as far away as the request took.
          if (what === 'asks to wait') expect(Number(given)).toBeLessThanOrEqual(30);
          else expect([what, given]).toEqual([what, retryAfter]);
          expect(answer.headers.get('content-type')).toContain('application/json');
        }
      }
      expect((await send('waiting')).headers.get('retry-after')).toBe('7');
    } finally {
      await app.close();
    }
  });

  it('answers what a client gets wrong', async () => {
    const { app, model, send } = await start();
    try {
      expect(await send('ask', {})).toMatchObject({ status: 400, body: { message: 'The request has no message.' } });
      expect(await send('ask', { question: '  ' })).toMatchObject({ status: 400 });
      for (const [path, conversation] of [
        ['ask', ' '],
        ['ask', 'é'.repeat(501)],
        ['ask-by-parameter', ' '],
      ] as const) {
        expect(await send(path, { question: 'Hi', conversation })).toMatchObject({
          status: 400,
          body: { message: 'The request has no valid id of a conversation.' },
        });
      }
      const approvals = [{ toolCallId: 'unknown', approved: true }];
      expect(await send('approve', { approvals })).toMatchObject({ status: 404 });
      expect(await send('approve', { approvals, turnId: 'unknown' })).toMatchObject({ status: 404 });
      for (const malformed of [undefined, 'all', [{}], [null], [{ toolCallId: 7, approved: 'yes' }]]) {
        expect(await send('approve', { approvals: malformed })).toMatchObject({ status: 400 });
      }
      expect(model.prompts).toHaveLength(0);
    } finally {
      await app.close();
    }
  });

  it('logs the class of what a model fails with, and nothing of what a client gets wrong', async () => {
    const { app, logger, send } = await start();
    try {
      await send('thrown/no such call');
      await send('thrown/the application ends');
      await send('ask', {});
      expect(logger.errors).toEqual([]);
      await send('thrown/wrong key');
      expect(logger.errors).toEqual(['A request failed: 401']);
      await send('thrown/an answer of another form');
      expect(logger.errors).toEqual([
        'A request failed: 401',
        `A request failed: StructuredOutputException: ${SECRET}`,
      ]);
    } finally {
      await app.close();
    }
  });

  it('leaves other exceptions to Nest', async () => {
    const { app, send } = await start();
    try {
      expect(await send('foreign')).toMatchObject({ status: 404, body: { message: 'No such page' } });
      expect(await send('unknown')).toMatchObject({ status: 500, body: { message: 'Internal server error' } });
    } finally {
      await app.close();
    }
  });

  it('leaves what a tool fails with to the model', async () => {
    const { app, model } = await start();
    try {
      expect(await app.get(ChatClient).prompt('Go').call().content()).toBe('Sorry.');
      expect(model.toolResponses).toEqual([SECRET]);
    } finally {
      await app.close();
    }
  });

  it('answers for middleware, too', async () => {
    const { app, send } = await start();
    try {
      expect(await send('middleware')).toMatchObject({ status: 502, body: { message: 'The model could not answer.' } });
    } finally {
      await app.close();
    }
  });
});

it.each([
  ['APP_FILTER', [{ provide: APP_FILTER, useClass: Teapots }], () => undefined],
  ['useGlobalFilters()', [], (app: INestApplication) => app.useGlobalFilters(new Teapots())],
])(
  'a filter of the application for all errors, with %s, comes before that of AiModule',
  async (_, providers, configure) => {
    const { app, send } = await serve(() => new ExpressAdapter(), providers, configure);
    try {
      for (const path of ['thrown/wrong key', 'unknown']) expect(await send(path)).toMatchObject({ status: 418 });
    } finally {
      await app.close();
    }
  },
);

describe('AiExceptionFilter in other contexts', () => {
  it('answers a message of a microservice as Nest does', async () => {
    const { app } = await serve(
      () => new ExpressAdapter(),
      [],
      () => undefined,
    );
    const service = app.connectMicroservice<TcpOptions>(
      { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } },
      { inheritAppConfig: true },
    );
    await app.startAllMicroservices();
    const { port } = service.unwrap<Server>().address() as AddressInfo;
    const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: '127.0.0.1', port } });
    try {
      const answer = firstValueFrom(client.send('ask', {})).catch((error: unknown) => error);
      expect(await answer).toEqual({ status: 'error', message: 'Internal server error' });
    } finally {
      client.close();
      await app.close();
    }
  });

  it('answers a message of a gateway as Nest does', () => {
    const client = new EventEmitter();
    const heard: unknown[] = [];
    client.on('exception', (data) => heard.push(data));
    const host = new ExecutionContextHost([client, {}]);
    host.setType('ws');
    new AiExceptionFilter().catch(failure({}), host);
    expect(heard).toEqual([{ status: 'error', message: 'Internal server error' }]);
  });

  it('tells a GraphQL client the status of a failed model, and nothing that the provider has said', () => {
    const host = new ExecutionContextHost([]);
    host.setType('graphql');
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const thrown = new HttpException('The model is not available now.', 503);
    const overloaded = new ChatModelException('no quota for acme', { httpStatus: 429 });
    expect(() => new AiExceptionFilter().catch(overloaded, host)).toThrow(thrown);
    expect(logged.mock.calls.map(([text]) => text)).toEqual(['A request failed: 429']);
    logged.mockRestore();
  });

  it('logs in other contexts and throws on, and leaves the log of tools to tools', () => {
    const host = new ExecutionContextHost([]);
    host.setType('telegraf');
    const error = failure({});
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    expect(() => new AiExceptionFilter().catch(error, host)).toThrow(error);
    expect(logged.mock.calls.map(([text]) => text)).toEqual(['A request failed: ChatModelException']);
    host.setType('ai-tool');
    expect(() => new AiExceptionFilter().catch(error, host)).toThrow(error);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});

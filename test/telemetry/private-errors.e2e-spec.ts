import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import {
  Catch,
  ConsoleLogger,
  Controller,
  ForbiddenException,
  Get,
  type INestApplication,
  Module,
  type Provider,
  Sse,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import {
  AiModule,
  AssistantMessage,
  ChatClient,
  ChatModel,
  ChatModelException,
  ChatResponse,
  StructuredOutputException,
  ToolCallLimitExceededException,
  toSse,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { lastValueFrom, type Observable, throwError } from 'rxjs';
import { keepPrinted } from './printed.js';

const QUESTION = 'MY PRIVATE QUESTION';
const ANSWER = 'MY PRIVATE ANSWER';
const HEADER = 'MY PRIVATE HEADER';

/** A provider that answers as it is told to, and quotes the question when it refuses. */
let provider: Server;
let status = 200;
let answer: object = {};

beforeAll(async () => {
  provider = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-account': HEADER, 'retry-after': '7' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  const closed = new Promise((resolve) => provider.close(resolve));
  provider.closeAllConnections();
  await closed;
});

function refuseWith(code: number): void {
  status = code;
  answer = { error: { message: 'No.', type: 'invalid_request_error', param: QUESTION, code: null } };
}

function answerWith(content: string): void {
  status = 200;
  answer = {
    id: '1',
    created: 1,
    model: 'gpt-test',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

class Film {
  @IsString() title!: string;
}

let failure: unknown;

/** Gives the errors of the client on to Nest, as controllers do that do not handle them. */
@Controller()
class ChatController {
  constructor(private readonly client: ChatClient) {}

  @Get('text')
  async text() {
    return this.#watched(this.client.prompt(QUESTION).call().content());
  }

  @Get('stream')
  stream() {
    return lastValueFrom(this.client.prompt(QUESTION).stream().content());
  }

  @Sse('events')
  events() {
    return toSse(this.client.prompt(QUESTION).stream().events());
  }

  @Get('film')
  async film() {
    return this.#watched(this.client.prompt(QUESTION).call().entity(Film));
  }

  #watched<T>(answered: Promise<T>): Promise<T> {
    return answered.catch((error: unknown) => {
      failure = error;
      throw error;
    });
  }
}

/** Nest's own filter, before that of AiModule. */
@Catch()
class AsNestDoes extends BaseExceptionFilter {}
const nestFilter = { provide: APP_FILTER, useClass: AsNestDoes };

const printed = keepPrinted();

describe.each([
  ['by default', () => new ConsoleLogger()],
  ['as JSON', () => new ConsoleLogger({ json: true })],
])("Nest's own filter logs an error, %s, without what was said", (_name, createLogger) => {
  let app: INestApplication;
  beforeEach(async () => {
    const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const chatModel = new AiSdkChatModel(createOpenAI({ apiKey: 'test', baseURL }).chat('gpt-test'));
    // Retries would wait as long as the provider asks.
    const ai = AiModule.forRoot({ chatModel, properties: { model: { retry: 0 } } });
    @Module({ imports: [ai], controllers: [ChatController], providers: [nestFilter] })
    class AppModule {}
    app = await NestFactory.create(AppModule, { logger: createLogger(), forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
  });
  afterEach(() => app.close());

  const get = async (path: string): Promise<number> => (await fetch(`${await app.getUrl()}/${path}`)).status;

  it.each([
    [400, 'text'],
    [429, 'text'],
    [429, 'stream'],
  ])('when the provider answers %i to a %s', async (code, path) => {
    refuseWith(code);

    expect(await get(path)).toBeGreaterThanOrEqual(400);

    const log = printed.join('');
    expect(log).toContain('ChatModelException');
    expect(log).not.toMatch(/PRIVATE|requestBodyValues|invalid_request_error/);
  });

  it('and the code of the application still reads what the provider said', async () => {
    refuseWith(429);
    await get('text');

    expect(failure).toBeInstanceOf(ChatModelException);
    const { responseBody, responseHeaders, providerError } = failure as ChatModelException;
    expect(responseBody).toContain(QUESTION);
    expect(responseHeaders).toMatchObject({ 'retry-after': '7', 'x-account': HEADER });
    expect(JSON.stringify((providerError as { requestBodyValues: object }).requestBodyValues)).toContain(QUESTION);
  });

  it.each([
    ['is no JSON', ANSWER],
    ['does not fit', `{"name":"${ANSWER}"}`],
  ])('when the answer %s', async (_what, content) => {
    answerWith(content);

    expect(await get('film')).toBe(500);

    expect(printed.join('')).toContain('StructuredOutputException');
    expect(printed.join('')).not.toContain('PRIVATE');
    expect((failure as StructuredOutputException).output).toBe(content);
  });
});

describe('a provider that refuses', () => {
  it.each([
    ['a filter', 'text', 'A request failed'],
    ['a stream', 'events', 'A streamed answer failed'],
  ])('is told with model, address and advice where %s logs it, without what was said', async (_by, path, beginning) => {
    refuseWith(401);
    const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const baseURL = `${origin}/${HEADER}?key=${HEADER}`;
    const chatModel = new AiSdkChatModel(createOpenAI({ apiKey: 'test', baseURL }).chat('gpt-test'));
    const ai = AiModule.forRoot({ chatModel, properties: { model: { retry: 0 } } });
    @Module({ imports: [ai], controllers: [ChatController] })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: new ConsoleLogger(), forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/${path}`);
    const body = await response.text();
    await app.close();
    expect(printed.join('')).toContain(
      `${beginning}: The call to the model 'gpt-test' of openai at ${origin} failed (status 401). Check the API key.`,
    );
    expect(printed.join('') + body).not.toMatch(/PRIVATE|invalid_request_error/);
    expect(body).not.toContain('127.0.0.1');
  });
});

describe('an error that a ChatModel of the application throws', () => {
  const thrown = Object.assign(new Error('The provider is down.'), {
    statusCode: 400,
    request: { messages: [QUESTION] },
    headers: { authorization: HEADER },
    cause: { body: ANSWER },
  });
  class OwnModel extends ChatModel {
    override async call(): Promise<ChatResponse> {
      throw thrown;
    }

    override stream(): Observable<ChatResponse> {
      return throwError(() => thrown);
    }
  }

  it.each<[string, Provider[], string, number]>([
    ['an answer', [nestFilter], 'text', 500],
    ['a stream', [nestFilter], 'stream', 500],
    ['an answer, with AiExceptionFilter', [], 'text', 502],
  ])('is logged and answered without its properties: %s', async (_what, providers, path, expected) => {
    @Module({ imports: [AiModule.forRoot({ chatModel: new OwnModel() })], controllers: [ChatController], providers })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: new ConsoleLogger(), forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/${path}`);
    expect([response.status, await response.text()]).toEqual([expected, expect.not.stringContaining('provider')]);
    expect(printed.join('')).toContain('ERROR');
    expect(printed.join('')).not.toContain('PRIVATE');
    if (path === 'text') expect(failure).toMatchObject({ message: thrown.message, providerError: thrown });
    await app.close();
  });

  it('is passed on as it is if it is an HttpException, or the request was aborted', async () => {
    const refusal = new ForbiddenException('This model is not for you.');
    const client = ChatClient.create(new ScriptedChatModel(() => ({ error: refusal })));
    await expect(client.prompt(QUESTION).call().content()).rejects.toBe(refusal);
    await expect(lastValueFrom(client.prompt(QUESTION).stream().content())).rejects.toBe(refusal);
    const reason = new Error('The user has left.');
    const aborted = ChatClient.create(new OwnModel())
      .prompt(QUESTION)
      .options({ signal: AbortSignal.abort(reason) });
    await expect(aborted.call().content()).rejects.toBe(reason);
  });
});

describe('no logger reaches what was said through', () => {
  const response = new ChatResponse({ results: [{ output: new AssistantMessage(ANSWER) }] });
  const breach = { toolName: 'search', limit: 1, text: 'Too many calls.' };
  const history = [new UserMessage(QUESTION), new AssistantMessage(ANSWER)];

  it.each<[string, Error]>([
    [
      'ChatModelException',
      new ChatModelException('No.', {
        responseBody: QUESTION,
        responseHeaders: { 'x-account': HEADER },
        cause: Object.assign(new Error(QUESTION), { requestBodyValues: { messages: history } }),
      }),
    ],
    ['StructuredOutputException', new StructuredOutputException('No.', ANSWER, { response })],
    [
      'ToolCallLimitExceededException',
      new ToolCallLimitExceededException(breach, { conversationHistory: history, returnDirect: false }),
    ],
  ])('%s, also as the cause of another error', (_name, error) => {
    for (const thrown of [error, new Error('The order failed.', { cause: error }), new AggregateError([error])]) {
      const seen = [
        inspect(thrown, { depth: null }),
        JSON.stringify(thrown),
        JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)),
        inspect(serialized(thrown), { depth: null }),
        inspect(structuredClone(thrown), { depth: null }),
      ];
      for (const text of seen) expect(text).not.toContain('PRIVATE');
    }
  });
});

/** An error as serializers of loggers such as pino and winston read it: enumerable fields, `cause` and `errors`. */
function serialized(error: Error): object {
  const fields: Record<string, unknown> = { message: error.message, stack: error.stack };
  for (const key in error) fields[key] = (error as unknown as Record<string, unknown>)[key];
  const { cause, errors } = error as Error & { errors?: readonly Error[] };
  return {
    ...fields,
    cause: typeof cause === 'object' && cause !== null ? serialized(cause as Error) : cause,
    errors: errors?.map(serialized),
  };
}

import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  Get,
  type INestApplication,
  Inject,
  Injectable,
  type MessageEvent,
  Query,
  Scope,
  Sse,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  ChatClient,
  type ChatResponse,
  FunctionToolCallback,
  type Prompt,
  Tool,
  ToolCallbackProvider,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { map, Observable } from 'rxjs';
import { allEvents, serve } from './http-application.js';

const store = new AsyncLocalStorage<{ user: string }>();
const whoami = (): string => store.getStore()?.user ?? 'nobody';
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

@Injectable()
class UserGuard implements CanActivate {
  canActivate() {
    return whoami() !== 'nobody';
  }
}

@Injectable()
class Tools {
  private readonly tried = new Set<string>();

  @Tool() now() {
    return whoami();
  }
  @Tool() async later() {
    await soon();
    return whoami();
  }
  @Tool() async *steps() {
    yield whoami();
    await soon();
    yield whoami();
  }
  @Tool() observed() {
    return new Observable<string>((subscriber) => {
      subscriber.next(whoami());
      subscriber.complete();
    });
  }
  @UseGuards(UserGuard)
  @Tool()
  guarded() {
    return whoami();
  }
  @Tool({ concurrencyKey: 'till', timeout: 5000 }) async oneAtATime() {
    await soon();
    return whoami();
  }
  @Tool({ retry: { retries: 1, minDelay: 1 } }) again() {
    const user = whoami();
    if (this.tried.has(user)) return user;
    this.tried.add(user);
    throw new Error('not yet');
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedTools {
  private readonly user = whoami();
  constructor(@Inject(REQUEST) readonly request: unknown) {}
  @Tool() scoped() {
    return this.user;
  }
}

@Injectable()
class RemoteTools extends ToolCallbackProvider {
  async getToolCallbacks() {
    await soon();
    const user = whoami();
    return [
      new FunctionToolCallback({
        name: 'remote',
        toolFunction: () => (user === whoami() ? user : 'mixed up'),
      }),
    ];
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Get('call')
  async call(@Query('q') question: string) {
    return { answer: await this.chatClient.prompt(question).call().content(), after: whoami() };
  }

  @Sse('stream')
  stream(@Query('q') question: string): Observable<MessageEvent> {
    const answer = this.chatClient.prompt(question).stream().content();
    return answer.pipe(map((text) => ({ data: { text } })));
  }

  @Get('loop')
  async loop(@Query('q') question: string) {
    const seen = [];
    for await (const text of this.chatClient.prompt(question).stream().content())
      seen.push(`${text} by ${whoami()}`);
    return seen;
  }
}

/** Answers from a context of its own, as a connection does that many requests share. */
class SharedConnection extends ScriptedChatModel {
  private readonly connection = new AsyncResource('connection');

  override call(prompt: Prompt): Promise<ChatResponse> {
    return new Promise((resolve, reject) => {
      this.connection.runInAsyncScope(() => void super.call(prompt).then(resolve, reject));
    });
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    const chunks = super.stream(prompt);
    return new Observable((subscriber) => {
      this.connection.runInAsyncScope(
        () => void soon().then(() => subscriber.add(chunks.subscribe(subscriber))),
      );
    });
  }
}

/** Asks for the tools that the question names, and answers with what they said. */
const turn: ScriptEntry = ({ messages }) => {
  const last = messages.at(-1)!;
  if (last.role !== 'tool')
    return { toolCalls: last.text.split(',').map((name) => toolCall(name)) };
  return { chunks: [last.responses.map(({ responseData }) => responseData).join(' ')] };
};
const script = Array.from({ length: 60 }, () => turn);
const names = [
  'now',
  'later',
  'steps',
  'observed',
  'guarded',
  'oneAtATime',
  'again',
  'scoped',
  'remote',
];
const all = (user: string): string => names.map(() => user).join(' ');

const metadata = { controllers: [ChatController], providers: [Tools, ScopedTools, RemoteTools] };
const configure = (app: INestApplication) =>
  app.use((request: IncomingMessage, _response: unknown, next: () => void) =>
    store.run({ user: String(request.headers['x-user']) }, next),
  );
const as = (user: string) => ({ headers: { 'x-user': user } });
const get = async (url: string, user: string) => (await fetch(url, as(user))).json();

describe.each([
  ['a model', () => new ScriptedChatModel(script)],
  ['a model with a context of its own', () => new SharedConnection(script)],
])('the store of an HTTP request, with %s', (_name, makeModel) => {
  const start = () => serve(makeModel(), metadata, { configure });
  const query = `q=${names.join()}`;

  it('is there in all the tools of an answer in one piece, in parallel, and behind it', async () => {
    const { url } = await start();
    expect(await get(`${url}/call?${query}`, 'ada')).toEqual({ answer: all('ada'), after: 'ada' });
  });

  it('is there in all the tools of a stream, and in a loop over it', async () => {
    const { url } = await start();
    expect(await allEvents(`${url}/stream?${query}`, as('ada'))).toEqual([
      { type: 'message', data: { text: all('ada') } },
    ]);
    expect(await get(`${url}/loop?${query}`, 'ada')).toEqual([`${all('ada')} by ada`]);
  });

  it.each(['call', 'loop'])('is never that of another request (%s)', async (path) => {
    const { url } = await start();
    const users = ['ada', 'bob', 'eve'];
    const answers = await Promise.all(users.map((user) => get(`${url}/${path}?${query}`, user)));
    const expected = (user: string) =>
      path === 'call' ? { answer: all(user), after: user } : [`${all(user)} by ${user}`];
    expect(answers).toEqual(users.map(expected));
  });
});

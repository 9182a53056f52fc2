import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Logger,
  Module,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Req,
  Scope,
  Sse,
} from '@nestjs/common';
import { NestFactory, repl, REQUEST } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, Payload, type TcpOptions, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, Tool, toolProvider, ToolRegistry } from '@nestor-ai/core';
import { type ScriptEntry, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { firstValueFrom, map } from 'rxjs';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const open of opened.splice(0).reverse()) await open.close();
});

function closedLater<T extends { close(): unknown }>(open: T): T {
  opened.push(open);
  return open;
}

@Injectable()
class Greetings {
  readonly word = 'Hello';
}

@Injectable()
class GreetingTools {
  constructor(private readonly greetings: Greetings) {}
  @Tool() greet(name: string) {
    return `${this.greetings.word} ${name}`;
  }
}

interface Caller {
  headers?: Record<string, string>;
  user?: string;
}

@Injectable({ scope: Scope.REQUEST })
class CallerTools {
  constructor(@Inject(REQUEST) private readonly caller: Caller) {}
  @Tool() whoami() {
    return this.caller.user ?? this.caller.headers?.['x-user'] ?? 'nobody';
  }
}

@Injectable()
class Shelf {
  @Tool() books() {
    return ['Dune'];
  }
}

const now = toolProvider('now', { description: 'The time', useFactory: () => () => 'noon' });

/** Has the model call tools, and answer with what they said. */
function relay(...calls: ReturnType<typeof toolCall>[]): ScriptEntry[] {
  return [{ toolCalls: calls }, ({ messages }) => messages.flatMap(textsOf).join(', ')];
}

function textsOf(message: { role: string; responses?: readonly { responseData: string }[] }): string[] {
  return message.role === 'tool' ? (message.responses ?? []).map(({ responseData }) => responseData) : [];
}

/** The root module of an application with two tools, one of which lives as long as a request. */
function rootModule(script: readonly ScriptEntry[], { providers = [], ...rest }: ModuleMetadata = {}): ModuleMetadata {
  return {
    imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel(script) })],
    providers: [Greetings, GreetingTools, CallerTools, ...providers],
    ...rest,
  };
}

const silent = { logger: false } as const;

describe('a tool is called', () => {
  it('in an application without a server', async () => {
    const script = relay(toolCall('greet', { name: 'Ada' }), toolCall('whoami'));
    const app = closedLater(await NestFactory.createApplicationContext(rootModule(script), silent));
    const request = app.get(ChatClient).prompt('Greet Ada').request({ user: 'ada' });
    expect(await request.call().content()).toBe('Hello Ada, ada');
  });

  @Controller()
  class Assistant {
    constructor(private readonly client: ChatClient) {}

    @Get('ask')
    async ask(@Req() request: Caller) {
      return { answer: await this.client.prompt('Who am I?').request(request).call().content() };
    }

    @Sse('stream')
    stream(@Req() request: Caller) {
      const pieces = this.client.prompt('Who am I?').request(request).stream().content();
      return pieces.pipe(map((data) => ({ data })));
    }
  }

  it.each([
    ['Express', () => new ExpressAdapter()],
    ['Fastify', () => new FastifyAdapter()],
  ])('over HTTP with %s, with the request of each caller', async (_name, adapter) => {
    const script = [1, 2, 3].flatMap(() => relay(toolCall('whoami')));
    const app = await NestFactory.create(rootModule(script, { controllers: [Assistant] }), adapter(), silent);
    await closedLater(app).listen(0, '127.0.0.1');
    const get = async (path: string, user: string) => {
      const response = await fetch(`${await app.getUrl()}/${path}`, { headers: { 'x-user': user } });
      expect(response.status).toBe(200);
      return response.text();
    };
    expect(await get('ask', 'ada')).toBe('{"answer":"ada"}');
    expect(await get('ask', 'bob')).toBe('{"answer":"bob"}');
    expect(await get('stream', 'eve')).toMatch(/^data: eve$/m);
  });

  it.each([
    ['a microservice', Scope.DEFAULT],
    ['a microservice, whose handler lives as long as its message', Scope.REQUEST],
  ])('in %s', async (_name, scope) => {
    @Controller({ scope })
    class Handler {
      constructor(private readonly client: ChatClient) {}

      @MessagePattern('ask')
      ask(@Payload() message: Caller) {
        return this.client.prompt('Who am I?').request(message).call().content();
      }
    }
    const script = [1, 2].flatMap(() => relay(toolCall('whoami')));
    const app = await NestFactory.createMicroservice<TcpOptions>(rootModule(script, { controllers: [Handler] }), {
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: 0 },
      ...silent,
    });
    await closedLater(app).listen();
    const { port } = app.unwrap<Server>().address() as AddressInfo;
    const options = { host: '127.0.0.1', port };
    const remote = closedLater(ClientProxyFactory.create({ transport: Transport.TCP, options }));
    expect(await firstValueFrom(remote.send('ask', { user: 'ada' }))).toBe('ada');
    expect(await firstValueFrom(remote.send('ask', { user: 'bob' }))).toBe('bob');
  });

  it('in the REPL, where the tools can be looked at', async () => {
    @Module(rootModule(relay(toolCall('greet', { name: 'Ada' }))))
    class AppModule {}
    const input = new PassThrough();
    const output = new PassThrough({ encoding: 'utf8' });
    // It logs there, whatever one says.
    const console = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const server = await repl(AppModule, { input, output, terminal: false, useColors: false, prompt: '' });
    const exited = once(server, 'exit');
    input.write('get(ToolRegistry).list().map(({ name, className }) => `${className}.${name}`)\n');
    input.write('get(ToolRegistry).get("whoami").moduleName\n');
    input.write('await get(ChatClient).prompt("Greet Ada").call().content()\n');
    input.end('.exit\n');
    await exited;
    console.mockRestore();
    Logger.overrideLogger(false);
    expect(String(output.read()).trim().split('\n')).toEqual([
      "[ 'GreetingTools.greet', 'CallerTools.whoami' ]",
      "'AppModule'",
      "'Hello Ada'",
    ]);
  });
});

/** Looks at the tools, and asks the model, as soon as it can. */
@Injectable()
abstract class Eager {
  readonly seen: unknown[] = [];

  constructor(
    private readonly registry: ToolRegistry,
    private readonly client: ChatClient,
  ) {}

  protected async look(): Promise<void> {
    this.seen.push(this.registry.list().map(({ name }) => name));
    this.seen.push(this.registry.get('greet')?.className);
    this.seen.push(await this.client.prompt('Greet Ada').call().content());
  }
}

@Injectable()
class EagerInModule extends Eager implements OnModuleInit {
  onModuleInit() {
    return this.look();
  }
}

@Injectable()
class EagerInApplication extends Eager implements OnApplicationBootstrap {
  onApplicationBootstrap() {
    return this.look();
  }
}

describe('the tools of all modules are known', () => {
  @Module({ providers: [Shelf, now] })
  class LibraryModule {}

  const everything = ['greet', 'whoami', 'books', 'now'];
  const script = relay(toolCall('greet', { name: 'Ada' }), toolCall('books'), toolCall('now'));
  const answer = 'Hello Ada, ["Dune"], noon';

  it.each([
    ['onApplicationBootstrap', EagerInApplication],
    ['onModuleInit', EagerInModule],
  ])('in %s of any provider, whose model can already call them', async (_name, eager) => {
    const { imports = [], ...rest } = rootModule(script);
    @Module({ providers: [eager], exports: [eager] })
    class FirstModule {}
    const root = { ...rest, imports: [FirstModule, LibraryModule, ...imports] };
    const app = closedLater(await NestFactory.createApplicationContext(root, silent));
    const { seen } = app.get<Eager>(eager);
    expect(seen).toEqual([expect.arrayContaining(everything), 'GreetingTools', answer]);
    expect(seen[0]).toHaveLength(everything.length);
  });

  it('in a testing module that was compiled and never initialised, and its model can call them', async () => {
    const { imports = [], ...rest } = rootModule(script);
    const root = { ...rest, imports: [...imports, LibraryModule] };
    const module = closedLater(await Test.createTestingModule(root).compile());
    const registry = module.get(ToolRegistry);
    expect(registry.list().map(({ name }) => name)).toEqual(expect.arrayContaining(everything));
    expect(registry.get('books')).toMatchObject({ moduleName: 'LibraryModule', className: 'Shelf' });
    expect(await module.get(ChatClient).prompt('Greet Ada').call().content()).toBe(answer);
  });
});

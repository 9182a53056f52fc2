import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type ModuleMetadata,
  type NestModule,
  Param,
  Scope,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AiModule, ChatClient, type Message, Tool, ToolRegistry } from '@nestor-ai/core';
import { type ScriptEntry, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { callOf, startApplication } from './application.js';

interface Caller {
  user?: string;
  headers?: Record<string, string>;
}

/** What a model does in a turn that calls a tool three times, in two rounds. */
function turnOf(name: string): ScriptEntry[] {
  const calls = [1, 2, 3].map((call) => toolCall(name, { call }));
  return [{ toolCalls: calls.slice(0, 2) }, { toolCalls: calls.slice(2) }, 'done'];
}

function responsesOf(message: Message): string[] {
  return message.role === 'tool' ? message.responses.map(({ responseData }) => responseData) : [];
}

const visits = (visit: string) => [1, 2, 3].map((call) => `${call}: ${visit}`);

let instances = 0;
afterEach(() => {
  instances = 0;
});

@Injectable({ scope: Scope.REQUEST })
class Visit {
  constructor(@Inject(REQUEST) readonly caller: Caller) {}
}

@Injectable()
class VisitTools {
  private readonly number = ++instances;
  constructor(private readonly visit: Visit) {}
  @Tool() visitor(call: number) {
    return `${call}: instance ${this.number} for ${this.visit.caller.user}`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedTools extends VisitTools {}

@Injectable({ scope: Scope.TRANSIENT })
class TransientTools {
  private readonly number = ++instances;
  @Tool() visitor(call: number) {
    return `${call}: instance ${this.number}`;
  }
}

const slowly = {
  provide: 'slow',
  scope: Scope.REQUEST,
  useFactory: () => new Promise((resolve) => setImmediate(resolve)),
};

@Injectable()
class SlowTools extends VisitTools {
  constructor(visit: Visit, @Inject('slow') _slow: unknown) {
    super(visit);
  }
}

describe('a tool host that lives as long as a request', () => {
  it.each([
    ['by its own scope', ScopedTools],
    ['by what it injects', VisitTools],
    ['and takes a while to be made', SlowTools],
  ])('%s: one instance a turn, with the request of the caller', async (_name, type) => {
    const providers = [Visit, slowly, type];
    const { client, model } = await startApplication({ providers }, [...turnOf('visitor'), ...turnOf('visitor')]);
    await client.prompt('Who am I?').request({ user: 'ada' }).call().content();
    expect(model.toolResponses).toEqual(visits('instance 1 for ada'));
    await client.prompt('Who am I?').request({ user: 'bob' }).call().content();
    expect(model.toolResponses).toEqual(visits('instance 2 for bob'));
    expect(instances).toBe(2);
  });

  it('serves turns that run at the same time, called and streamed, each its own', async () => {
    const call = { toolCalls: [toolCall('visitor', { call: 1 })] };
    const echo: ScriptEntry = ({ messages }) => messages.flatMap(responsesOf).join();
    const { client } = await startApplication({ providers: [Visit, VisitTools] }, [call, call, echo, echo]);
    const request = (user: string) => client.prompt('Who am I?').request({ user });
    const streamed = async () => {
      let text = '';
      for await (const piece of request('bob').stream().content()) text += piece;
      return text;
    };
    const answers = await Promise.all([request('ada').call().content(), streamed()]);
    expect(answers).toEqual([expect.stringContaining('for ada'), expect.stringContaining('for bob')]);
    expect(instances).toBe(2);
  });

  it('may be a controller', async () => {
    @Controller()
    class Visits {
      constructor(private readonly visit: Visit) {}
      @Get()
      @Tool()
      visitor() {
        return this.visit.caller.user;
      }
    }
    const { client, model } = await startApplication({ providers: [Visit], controllers: [Visits] }, callOf('visitor'));
    await client.prompt('Who am I?').request({ user: 'ada' }).call().content();
    expect(model.toolResponses).toEqual(['ada']);
  });

  it('is made in its own module, where another module provides the same class', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Located {
      constructor(
        @Inject('place') private readonly place: string,
        @Inject(REQUEST) private readonly caller: Caller,
      ) {}
      @Tool() where() {
        return `${this.caller.user} in ${this.place}`;
      }
    }
    @Injectable()
    class RomeTools {
      constructor(private readonly located: Located) {}
      @Tool() inRome() {
        return this.located.where();
      }
    }
    @Module({ providers: [Located, { provide: 'place', useValue: 'Paris' }] })
    class Paris {}
    @Module({ providers: [Located, RomeTools, { provide: 'place', useValue: 'Rome' }] })
    class Rome {}
    const script = [{ toolCalls: [toolCall('inRome'), toolCall('where')] }, 'done'];
    const { app, client, model } = await startApplication({ imports: [Paris, Rome] }, script);
    await client.prompt('Where am I?').request({ user: 'ada' }).call().content();
    expect(app.get(ToolRegistry).get('where')?.moduleName).toBe('Paris');
    expect(model.toolResponses).toEqual(['ada in Rome', 'ada in Paris']);
  });
});

describe('a transient tool host', () => {
  it('is one instance a turn', async () => {
    const script = [...turnOf('visitor'), ...turnOf('visitor')];
    const { client, model } = await startApplication({ providers: [TransientTools] }, script);
    await client.prompt('Go').call().content();
    const [first] = model.toolResponses;
    expect(model.toolResponses).toEqual(visits(first!.slice(3)));
    await client.prompt('Go').call().content();
    const [second] = model.toolResponses;
    expect(model.toolResponses).toEqual(visits(second!.slice(3)));
    expect(second).not.toBe(first);
  });
});

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(root: ModuleMetadata | (new () => object), adapter = new ExpressAdapter()) {
  const app = await NestFactory.create(root, adapter, { logger: false });
  servers.push(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/${path}`, { headers }).then((response) => response.text());
}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter() as unknown as ExpressAdapter],
])('over HTTP with %s', (_name, adapter) => {
  it('a controller that lives as long as a request shares it, and what it injects, with the tools', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Basket {
      readonly items: string[] = [];
    }
    @Injectable()
    class BasketTools {
      constructor(
        private readonly basket: Basket,
        @Inject(REQUEST) private readonly caller: Caller,
      ) {}
      @Tool() put(item: string) {
        this.basket.items.push(`${item} for ${this.caller.headers?.['x-user']}`);
      }
    }
    @Controller()
    class Shop {
      constructor(
        private readonly client: ChatClient,
        private readonly basket: Basket,
        @Inject(REQUEST) private readonly caller: Caller,
      ) {}
      @Get('buy')
      async buy() {
        await this.client.prompt('Two teas').request(this.caller).call().content();
        await this.client.prompt('And a cake').request(this.caller).call().content();
        return this.basket.items.sort().join(', ');
      }
    }
    const call = (item: string) => toolCall('put', { item });
    const visit = [{ toolCalls: [call('black tea'), call('green tea')] }, 'ok', { toolCalls: [call('cake')] }, 'ok'];
    const imports = [AiModule.forRoot({ chatModel: new ScriptedChatModel([...visit, ...visit]) })];
    const get = await listen({ imports, providers: [Basket, BasketTools], controllers: [Shop] }, adapter());
    expect(await get('buy', { 'x-user': 'ada' })).toBe('black tea for ada, cake for ada, green tea for ada');
    expect(await get('buy', { 'x-user': 'bob' })).toBe('black tea for bob, cake for bob, green tea for bob');
  });

  it('what middleware put into an AsyncLocalStorage is there in tools, called and streamed', async () => {
    const storage = new AsyncLocalStorage<string>();
    @Injectable()
    class UserTools {
      @Tool() async user() {
        return storage.getStore() ?? 'nobody';
      }
    }
    const model = new ScriptedChatModel([1, 2, 3].flatMap(() => callOf('user')));
    @Controller()
    class Assistant {
      constructor(private readonly client: ChatClient) {}
      @Get(':how')
      async ask(@Param('how') how: string) {
        const request = this.client.prompt('Who am I?');
        if (how === 'call') await request.call().content();
        else for await (const _piece of request.stream().content()) await new Promise((next) => setImmediate(next));
        return model.toolResponses.join();
      }
    }
    @Module({ imports: [AiModule.forRoot({ chatModel: model })], providers: [UserTools], controllers: [Assistant] })
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        const use = (request: Caller, _response: unknown, next: () => void) =>
          storage.run(request.headers?.['x-user'] ?? 'nobody', next);
        consumer.apply(use).forRoutes('*path');
      }
    }
    const get = await listen(AppModule, adapter());
    expect(await get('call', { 'x-user': 'ada' })).toBe('ada');
    expect(await get('stream', { 'x-user': 'bob' })).toBe('bob');
    expect(await get('stream')).toBe('nobody');
  });
});

describe('what a tool enters with enterWith()', () => {
  it('stays with that call: other tools and later rounds do not see it', async () => {
    const store = new AsyncLocalStorage<string>();
    class Tools {
      @Tool({ sequential: true }) enter() {
        store.enterWith('entered');
        return store.getStore();
      }
      @Tool({ sequential: true }) look() {
        return String(store.getStore());
      }
    }
    const { client, model } = await startApplication({ providers: [Tools] }, [
      { toolCalls: [toolCall('enter'), toolCall('look')] },
      () => ({ toolCalls: [toolCall('look')], text: String(store.getStore()) }),
      'done',
    ]);
    await store.run('caller', () => client.prompt('Go').call().content());
    const [first, second] = model.prompts.slice(1).map(({ messages }) => messages.at(-1));
    expect(first).toMatchObject({ responses: [{ responseData: 'entered' }, { responseData: 'caller' }] });
    expect(second).toMatchObject({ responses: [{ responseData: 'caller' }] });
  });
});

import { describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Injectable, Module, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, Tool, ToolParam, ToolRegistry } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Inject } from '@nestjs/common';
import { bootstrapError, offeredTools, startApplication } from './application.js';

@Injectable()
class Clock {
  readonly now = 'noon';
}

@Injectable()
class TimeTools {
  constructor(private readonly clock: Clock) {}
  @Tool({ description: 'The time' }) time() {
    return this.clock.now;
  }
}

class PlainTools {
  @Tool() plain() {
    return 'plain';
  }
}

abstract class BaseTools {
  protected abstract readonly word: string;
  @Tool() inherited() {
    return this.word;
  }
  @Tool() overridden() {
    return 'base';
  }
}

@Injectable()
class DerivedTools extends BaseTools {
  protected readonly word = 'derived';
  @Tool({ description: 'better' }) override overridden() {
    return 'derived';
  }
}

async function answers(providers: never[] | unknown[], ...names: string[]): Promise<string[]> {
  const { client, model } = await startApplication({ providers: providers as never[] }, [
    { toolCalls: names.map((name) => toolCall(name)) },
    'Done',
  ]);
  await client.prompt('Go').call().content();
  return model.toolResponses;
}

describe('an application that imports AiModule and puts @Tool() on methods', () => {
  it('has the model call them on the instance that Nest made, with what was injected', async () => {
    expect(await answers([Clock, TimeTools], 'time')).toEqual(['noon']);
  });

  it('offers the methods of providers of several modules, and of controllers', async () => {
    @Controller('things')
    class Things {
      @Get()
      @Tool()
      list() {
        return ['a'];
      }
    }
    @Module({ providers: [Clock, TimeTools] })
    class TimeModule {}
    @Module({ providers: [PlainTools], controllers: [Things] })
    class ThingsModule {}
    const { client, model } = await startApplication({ imports: [TimeModule, ThingsModule] }, [
      { toolCalls: [toolCall('list')] },
      'Done',
    ]);
    await client.prompt('Go').call().content();
    expect(offeredTools(model).sort()).toEqual(['list', 'plain', 'time']);
    expect(model.toolResponses).toEqual(['["a"]']);
  });

  it.each([
    ['useClass', { provide: 'tools', useClass: PlainTools }],
    ['useValue', { provide: 'tools', useValue: new PlainTools() }],
    ['useFactory', { provide: 'tools', useFactory: () => new PlainTools() }],
    ['an asynchronous factory', { provide: 'tools', useFactory: async () => new PlainTools() }],
  ])('finds them on a host given with %s', async (_name, provider) => {
    expect(await answers([provider], 'plain')).toEqual(['plain']);
  });

  it('finds them once where an alias stands for the host', async () => {
    expect(await answers([PlainTools, { provide: 'alias', useExisting: PlainTools }], 'plain')).toEqual(['plain']);
  });

  it('finds inherited ones, and an overriding one once', async () => {
    const { client, model } = await startApplication({ providers: [DerivedTools] }, [
      { toolCalls: [toolCall('inherited'), toolCall('overridden')] },
      'Done',
    ]);
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['overridden', 'inherited']);
    expect(model.toolResponses).toEqual(['derived', 'derived']);
  });

  it('takes a class that two modules provide once', async () => {
    @Module({ providers: [PlainTools] })
    class One {}
    @Module({ providers: [PlainTools] })
    class Two {}
    const { app } = await startApplication({ imports: [One, Two] });
    expect(app.get(ToolRegistry).list()).toHaveLength(1);
  });

  it('tells where each tool comes from', async () => {
    @Module({ providers: [Clock, TimeTools] })
    class TimeModule {}
    const { app } = await startApplication({ imports: [TimeModule] });
    expect(app.get(ToolRegistry).get('time')).toMatchObject({
      name: 'time',
      description: 'The time',
      moduleName: 'TimeModule',
      className: 'TimeTools',
      methodName: 'time',
    });
    expect(app.get(ToolRegistry).get('nope')).toBeUndefined();
  });

  it('knows them also when it was compiled and never initialised', async () => {
    const module = await Test.createTestingModule({
      imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) })],
      providers: [PlainTools],
    }).compile();
    expect(module.get(ToolRegistry).list()).toHaveLength(1);
  });

  it('does not look into instances whose properties bite', async () => {
    const biting = new Proxy(new PlainTools(), {
      get(target, key, receiver) {
        // Nest itself asks every provider for its lifecycle hooks.
        const isHook = /^(then|on[A-Z]|before[A-Z])/.test(String(key));
        if (typeof key === 'string' && !isHook && !(key in PlainTools.prototype)) throw new Error(`touched ${key}`);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const { app } = await startApplication({ providers: [{ provide: 'strict', useValue: biting }] });
    expect(app.get(ToolRegistry).list()).toHaveLength(1);
  });

  it('finds what a factory makes for each request, by the class that is its token', async () => {
    const provider = {
      provide: PlainTools,
      scope: Scope.REQUEST,
      inject: [REQUEST],
      useFactory: () => new PlainTools(),
    };
    expect(await answers([provider], 'plain')).toEqual(['plain']);
  });

  it('serves hosts that were not ready when somebody first asked for the tools', async () => {
    @Injectable()
    class Impatient {
      constructor(registry: ToolRegistry) {
        registry.list();
      }
    }
    const slow = {
      provide: Clock,
      useFactory: () => new Promise<Clock>((resolve) => setTimeout(() => resolve(new Clock()), 20)),
    };
    const late = {
      provide: PlainTools,
      useFactory: () => new Promise((resolve) => setTimeout(() => resolve(new PlainTools()), 20)),
    };
    expect(await answers([Impatient, slow, late, TimeTools], 'time', 'plain')).toEqual(['noon', 'plain']);
  });

  it('serves request-scoped hosts: one instance a turn, with the request of the caller', async () => {
    let instances = 0;
    @Injectable({ scope: Scope.REQUEST })
    class ScopedTools {
      constructor(@Inject(REQUEST) private readonly request: { user?: string } | undefined) {
        instances++;
      }
      @Tool() whoami() {
        return this.request?.user ?? 'nobody';
      }
    }
    const twice = { toolCalls: [toolCall('whoami'), toolCall('whoami')] };
    const { client, model } = await startApplication({ providers: [ScopedTools] }, [twice, 'Done', twice, 'Done']);
    await client.prompt('Who am I?').request({ user: 'ada' }).call().content();
    expect(model.toolResponses).toEqual(['ada', 'ada']);
    expect(instances).toBe(1);
    await client.prompt('Who am I?').call().content();
    expect(model.toolResponses).toEqual(['nobody', 'nobody']);
    expect(instances).toBe(2);
  });

  it('maps an instance, or a class, given to tools() to what is registered', async () => {
    const { app, client, model } = await startApplication({ providers: [PlainTools, Clock, TimeTools] }, ['', '', '']);
    const registered = app.get(ToolRegistry).get('time')!.callback;
    await client.prompt('Go').tools(app.get(TimeTools)).call().content();
    expect(model.lastPrompt?.options?.toolCallbacks).toEqual([registered]);
    await client.prompt('Go').tools(TimeTools).call().content();
    expect(model.lastPrompt?.options?.toolCallbacks).toEqual([registered]);
    await client.prompt('Go').tools('plain').call().content();
    expect(offeredTools(model)).toEqual(['plain']);
  });
});

describe('an instance given to tools()', () => {
  class Owned {
    constructor(private readonly owner: string) {}
    @Tool() owner_() {
      return this.owner;
    }
  }
  const ask = async (providers: unknown[], pick: (app: INestApplication) => object) => {
    const { app, client, model } = await startApplication(
      { providers: providers as never[] },
      [{ toolCalls: [toolCall('owner_')] }, 'Done'],
      { properties: { chat: { client: { defaultTools: 'none' } } } },
    );
    await client.prompt('Whose?').tools(pick(app)).call().content();
    return model.toolResponses;
  };
  const provider = (name: string) => ({ provide: name, useValue: new Owned(name) });

  it('is the one that is called, although the container has others of its class', async () => {
    expect(await ask([provider('a'), provider('b')], (app) => app.get('b'))).toEqual(['b']);
    expect(await ask([provider('a')], () => new Owned('mine'))).toEqual(['mine']);
  });

  it('may be named by the token that it is provided under', async () => {
    abstract class Port {
      abstract owner_(): string;
    }
    expect(await ask([{ provide: Port, useFactory: () => new Owned('port') }], () => Port)).toEqual(['port']);
  });

  it('cannot be named by a name that several have', async () => {
    const named = ask([Owned2, PlainTools], () => ['plain']);
    await expect(named).rejects.toThrow(
      /name \(plain\) found in sources: 'plain' is Owned2\.other\(\) in .* and PlainTools\.plain\(\) in .* Pass the class instead/,
    );
  });
});

class Owned2 {
  @Tool({ name: 'plain' }) other() {
    return 'other';
  }
}

describe('a tool that exists in the application but was not given to the request', () => {
  it('is not run when the model names it', async () => {
    let ran = false;
    @Injectable()
    class Dangerous {
      @Tool() deleteEverything() {
        ran = true;
      }
    }
    const { client, model } = await startApplication({ providers: [Dangerous, PlainTools] }, [
      { toolCalls: [toolCall('deleteEverything')] },
      'Sorry',
    ]);
    expect(await client.prompt('Go').tools('plain').call().content()).toBe('Sorry');
    expect(model.toolResponses).toEqual(["Unknown tool 'deleteEverything'. Available tools: plain."]);
    expect(ran).toBe(false);
  });
});

interface Options {
  text: string;
}

class Undecorated {
  text!: string;
}

@Injectable()
class ManyMistakes {
  @Tool() find(_options: Options) {
    return 1;
  }
  @Tool() list(_names: string[]) {
    return 1;
  }
  @Tool() take(_input: Undecorated) {
    return 1;
  }
  @Tool({ inputSchema: { type: 'objekt' } }) broken(_input: object) {
    return 1;
  }
}

describe('the bootstrap', () => {
  it('fails with every mistake at once, each with its place and the remedy', async () => {
    @Injectable()
    class Same {
      @Tool({ name: 'plain' }) other() {
        return 1;
      }
    }
    const { name, message } = await bootstrapError(
      { providers: [ManyMistakes, PlainTools, Same] },
      { properties: { tools: { concurrency: 0 } } },
    );
    expect(name).toBe('AiBootstrapException');
    expect(message).toMatch(/^6 problems:/);
    expect(message).toMatch(/ai\.tools\.concurrency is 0, but has to be/);
    expect(message).toMatch(/The tool 'find' \(ManyMistakes\.find\).*Parameter '_options' \(number 1\).*`import type`/);
    expect(message).toMatch(/ManyMistakes\.list.*the type of its items is unknown/);
    expect(message).toMatch(/ManyMistakes\.take.*is of type Undecorated/);
    expect(message).toMatch(
      /The tool 'broken' cannot be offered to a model: the schema of a tool's arguments must have type/,
    );
    expect(message).toMatch(
      /name \(plain\) found in sources: 'plain' is PlainTools\.plain\(\) in .* and Same\.other\(\) in .*default-tools=none/,
    );
  });

  it('says how classes that inherit one method give it different names, and they can', async () => {
    abstract class Crud<Item> {
      protected abstract readonly items: readonly Item[];
      @Tool({ description: 'Lists the items' }) list(@ToolParam({ description: 'How many' }) count: number) {
        return this.items.slice(0, count);
      }
    }
    @Injectable()
    class Users extends Crud<string> {
      protected readonly items = ['ann', 'bob'];
    }
    @Injectable()
    class Orders extends Crud<number> {
      protected readonly items = [7, 8];
    }
    const { message } = await bootstrapError({ providers: [Users, Orders] });
    expect(message).toMatch(/'list' is Users\.list\(\) in .* and Orders\.list\(\) in /);
    expect(message).toContain('override list(input: Input) { return super.list(input); }');

    @Injectable()
    class NamedUsers extends Users {
      @Tool({ name: 'listUsers' }) override list(count: number) {
        return super.list(count);
      }
    }
    const { client, model } = await startApplication({ providers: [NamedUsers, Orders] }, [
      { toolCalls: [toolCall('listUsers', { count: 1 }), toolCall('list', { count: 2 })] },
      'Done',
    ]);
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['["ann"]', '[7,8]']);
    const named = model.prompts[0]!.options!.toolCallbacks!.find(
      ({ toolDefinition }) => toolDefinition.name === 'listUsers',
    );
    expect(named!.toolDefinition.inputSchema).toMatchObject({ properties: { count: { description: 'How many' } } });
  });

  it('lets tools have the same name when no client has them all', async () => {
    @Injectable()
    class Same {
      @Tool({ name: 'plain' }) other() {
        return 'same';
      }
    }
    const { client, model } = await startApplication(
      { providers: [PlainTools, Same] },
      ['Hi', { toolCalls: [toolCall('plain')] }, 'Done'],
      { properties: { chat: { client: { defaultTools: 'none' } } } },
    );
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual([]);
    await client.prompt('Go').tools(Same).call().content();
    expect(model.toolResponses).toEqual(['same']);
  });
});

describe('two applications in one process', () => {
  it('do not share tools', async () => {
    const one = await startApplication({ providers: [PlainTools] });
    const two = await startApplication({ providers: [Clock, TimeTools] });
    const names = [one, two].map(({ app }) =>
      app
        .get(ToolRegistry)
        .list()
        .map(({ name }) => name),
    );
    expect(names).toEqual([['plain'], ['time']]);
    expect(one.app.get(ChatClient)).not.toBe(two.app.get(ChatClient));
  });
});

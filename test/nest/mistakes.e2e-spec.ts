import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ForbiddenException, Injectable, Module, Optional, Scope } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { NestFactory, REQUEST } from '@nestjs/core';
import {
  type AiBootstrapException,
  AiModule,
  AugmentedToolCallback,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  DefaultToolCallingManager,
  FunctionToolCallback,
  getChatClientToken,
  RegisterAdvisor,
  StaticToolCallbackResolver,
  Tool,
  ToolCallbackProvider,
  ToolCallbackResolver,
  ToolCallingAdvisor,
  ToolCallingManager,
  ToolFilter,
  ToolParam,
  ToolRegistry,
  toolsWhere,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { bootstrapError, callOf, offeredTools, startApplication } from './application.js';

@Injectable()
class Tools {
  @Tool() findOrder() {
    return 'order 7';
  }
  @Tool({ visible: () => false }) secret() {
    return 'SECRET';
  }
}
const tool = (name: string) => new FunctionToolCallback({ name, toolFunction: () => name });
const overrides = (tools: object) => ({ tools: { overrides: tools } });
const clientOf = (app: { get(token: never): unknown }, name: string) =>
  app.get(getChatClientToken(name) as never) as ChatClient;

describe('a mistake in a client does not end the process, and is told with all others', () => {
  class Unmade extends BaseAdvisor {
    readonly name = 'unmade';
  }
  class TwoLoops extends ToolCallingAdvisor {}
  it('where a factory makes its options, or its options are wrong', async () => {
    const fail = () => {
      throw new Error('no settings');
    };
    class Homeless {
      @Tool() go() {
        return 'gone';
      }
    }
    const factories = {
      failing: fail,
      nothing: () => undefined,
      nobody: async () => null,
      unmade: () => ({ advisors: [Unmade] }),
      nolist: () => ({ tools: Tools }),
      typo: () => ({ tools: [], sytem: 'You help.' }),
    };
    const clients = Object.entries(factories).map(([name, useFactory]) => ({ name, useFactory: useFactory as never }));
    const root = {
      module: class AppModule {},
      imports: [
        AiModule.forRoot({ chatModel: new ScriptedChatModel([]), properties: { tools: { concurrency: 0 } } }),
        AiModule.forFeatureAsync(clients),
        AiModule.forFeature([
          { name: 'twice', tools: [tool('x'), tool('x')] },
          { name: 'silent', system: '' },
          { name: 'circle', tools: [undefined as never] },
          { name: 'homeless', tools: [Homeless] },
          { name: 'loops', advisors: [new TwoLoops(), new TwoLoops()] },
          { name: undefined as never },
        ]),
      ],
    };
    const started = NestFactory.createApplicationContext(root, { logger: false });
    await expect(started).rejects.toMatchObject({
      name: 'AiBootstrapException',
      problems: expect.arrayContaining([
        expect.stringMatching(/ai\.tools\.concurrency is 0/),
        "The client 'failing' cannot be created: no settings",
        expect.stringMatching(/The client 'nothing' cannot be created: useFactory returned no options/),
        expect.stringMatching(/The client 'nobody' cannot be created: useFactory returned no options/),
        expect.stringMatching(
          /The client 'unmade'.*the class Unmade as an advisor\. List advisor classes in advisors, next to useFactory/,
        ),
        expect.stringMatching(/The client 'nolist'/),
        "The client 'typo' cannot be created: it has no option 'sytem'. Did you mean 'system'?",
        expect.stringMatching(/The tools of the client 'homeless'.* In Nest, provide the class in a module\./),
        expect.stringMatching(/The client 'twice' cannot be created: Multiple tools with the same name/),
        expect.stringMatching(/The client 'silent' cannot be created/),
        expect.stringMatching(/The tools of the client 'circle'.*import each other|The client 'circle'/),
        expect.stringMatching(/At most one ToolAdvisor/),
        expect.stringMatching(/is named 'undefined'/),
      ]) as unknown,
    });
  });

  it('and is told also where somebody works with the client while it is being made', async () => {
    const useFactory = () => {
      throw new Error('no settings');
    };
    const mutated = {
      provide: 'MUTATED',
      inject: [getChatClientToken('b')],
      useFactory: (client: ChatClient) => client.mutate().defaultSystem('x').build(),
    };
    const root = {
      module: class AppModule {},
      imports: [
        AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }),
        AiModule.forFeatureAsync([{ name: 'b', useFactory }], { providers: [mutated] }),
      ],
    };
    const started = NestFactory.createApplicationContext(root, { logger: false });
    await expect(started).rejects.toThrow("The client 'b' cannot be created: no settings");
  });

  it('where it belongs to a request, is what the request fails with', async () => {
    const refuse = () => {
      throw new ForbiddenException('no tenant');
    };
    const { app } = await startApplication({
      imports: [AiModule.forFeatureAsync([{ name: 'c', inject: [REQUEST], useFactory: refuse }])],
    });
    await expect(app.resolve(getChatClientToken('c') as never)).rejects.toThrow('no tenant');
  });

  it('where a model lives as long as a request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends ScriptedChatModel {
      constructor() {
        super([]);
      }
    }
    const { message } = await bootstrapError({
      imports: [AiModule.forFeature([{ name: 'a', chatModel: Scoped as never }])],
      providers: [Scoped],
    });
    expect(message).toMatch(/The ChatModel of the client 'a' cannot be used\..*make it a singleton/);
  });
});

describe('what is given to AiModule', () => {
  it.each([
    [ToolCallingManager, DefaultToolCallingManager],
    [
      ToolFilter,
      class extends ToolFilter {
        isVisible = () => true;
      },
    ],
  ])('cannot live as long as a request, and hides no other mistake: %p', async (provide, useClass) => {
    const { message } = await bootstrapError(
      { providers: [Tools] },
      {
        providers: [{ provide, useClass: useClass as never, scope: Scope.REQUEST }],
        properties: { tools: { concurrency: 0 } },
      },
    );
    expect(message).toMatch(/given to AiModule is request-scoped or transient/);
    expect(message).toMatch(/ai\.tools\.concurrency is 0/);
  });

  it('cannot inject a client in a circle without word of it', async () => {
    @Injectable()
    class Asking extends ToolFilter {
      constructor(readonly client: ChatClient) {
        super();
      }
      isVisible() {
        return true;
      }
    }
    const { message } = await bootstrapError({}, { providers: [{ provide: ToolFilter, useClass: Asking }] });
    expect(message).toMatch(/circular|can't resolve/i);
  });

  it.each([
    ['in another module', { providers: [{ provide: ToolFilter, useValue: { isVisible: () => false } }] }, {}],
    ['that is none', {}, { providers: [{ provide: ToolFilter, useValue: {} }] }],
  ])('must not look as if it filtered tools: a ToolFilter %s', async (_name, metadata, options) => {
    expect((await bootstrapError(metadata, options)).message).toMatch(
      /ToolFilter.*(has no effect there|has no isVisible)/,
    );
  });

  it('is of modules that are there', async () => {
    class NotImported {}
    const { message } = await bootstrapError({ providers: [Tools] }, { include: [NotImported, undefined as never] });
    expect(message).toMatch(/include option of AiModule has undefined in place of a module.*import each other/);
  });
});

describe('what a user may not see', () => {
  it('cannot be called either when an advisor brings it', async () => {
    const later: { registry?: ToolRegistry } = {};
    @RegisterAdvisor()
    @Injectable()
    class Brings extends BaseAdvisor {
      readonly name = 'brings';
      override readonly order = -2_147_483_647;
      override before(request: ChatClientRequest) {
        const toolCallbacks = [later.registry!.get('secret')!.callback];
        return { ...request, prompt: request.prompt.with({ options: { ...request.prompt.options, toolCallbacks } }) };
      }
    }
    const { app, client, model } = await startApplication({ providers: [Tools, Brings] }, callOf('secret'));
    later.registry = app.get(ToolRegistry);
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual([expect.stringMatching(/^Unknown tool 'secret'/)]);
  });
});

describe('whether a user may have a tool', () => {
  class Slow extends ToolFilter {
    static asked = 0;
    static second: () => Promise<boolean> = async () => true;
    isVisible() {
      return Slow.asked++ === 0 ? true : Slow.second();
    }
  }
  class Working {
    static ran = false;
    @Tool() work() {
      Working.ran = true;
    }
  }
  const start = (second: () => Promise<boolean>) => {
    Object.assign(Slow, { asked: 0, second });
    Working.ran = false;
    const providers = [{ provide: ToolFilter, useClass: Slow }];
    return startApplication({ providers: [Working] }, callOf('work'), { providers });
  };

  it('that cannot be known when it is called, leaves it uncalled', async () => {
    const { client, model } = await start(() => Promise.reject(new Error('db down')));
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(["The tool 'work' cannot be called now."]);
    expect(Working.ran).toBe(false);
  });

  it('is of no interest any more when the caller has given up', async () => {
    const caller = new AbortController();
    const { client } = await start(async () => {
      caller.abort();
      await new Promise((resolve) => setTimeout(resolve, 10));
      return true;
    });
    await expect(client.prompt('Go').options({ signal: caller.signal }).call().content()).rejects.toThrow(/abort/i);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(Working.ran).toBe(false);
  });
});

describe('a tool that is described by configuration', () => {
  const properties = overrides({ findOrder: { description: 'changed' } });

  it('may be given once more by a provider of tools, or be asked for more', async () => {
    let registry: ToolRegistry;
    class Thought {
      @ToolParam({ description: 'Why' }) why!: string;
    }
    @Injectable()
    class Again extends ToolCallbackProvider {
      getToolCallbacks() {
        return [registry.get('findOrder')!.callback];
      }
    }
    @Injectable()
    class More extends ToolCallbackProvider {
      getToolCallbacks() {
        return [new AugmentedToolCallback({ delegate: registry.get('findOrder')!.callback, argumentType: Thought })];
      }
    }
    for (const type of [Again, More]) {
      const { app, client, model } = await startApplication({ providers: [Tools, type] }, ['Hi'], { properties });
      registry = app.get(ToolRegistry);
      await client.prompt('Go').call().content();
      expect(offeredTools(model)).toEqual(['findOrder']);
      expect(model.lastPrompt?.options?.toolCallbacks?.[0]?.toolDefinition.description).toBe('changed');
    }
  });

  it('is described so also when a resolver of the application gives it', async () => {
    const { client, model } = await startApplication({}, ['Hi'], {
      properties: overrides({ pay: { description: 'changed' } }),
      providers: [{ provide: ToolCallbackResolver, useValue: new StaticToolCallbackResolver([tool('pay')]) }],
    });
    await client.prompt('Go').tools('pay').call().content();
    expect(model.lastPrompt?.options?.toolCallbacks?.[0]?.toolDefinition.description).toBe('changed');
  });

  it('needs the approval that it needs, under every name', async () => {
    class Paying {
      @Tool({ needsApproval: true }) pay() {
        return 'paid';
      }
    }
    const { app, client } = await startApplication({ providers: [Paying] }, callOf('alias'), {
      properties: overrides({ alias: { needsApproval: false } }),
    });
    const registered = app.get(ToolRegistry).get('pay')!.callback;
    class Why {
      @ToolParam({ required: false }) why?: string;
    }
    const alias = new AugmentedToolCallback({ delegate: registered, argumentType: Why });
    Object.defineProperty(alias, 'toolDefinition', { value: { ...alias.toolDefinition, name: 'alias' } });
    const response = await client.prompt('Go').tools(alias).call().chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
  });
});

describe('tools of providers', () => {
  @Injectable()
  class Giving extends ToolCallbackProvider {
    getToolCallbacks() {
      return [
        new FunctionToolCallback({
          name: 'rare',
          toolFunction: () => 1,
          toolMetadata: { returnDirect: false, offeredByDefault: false },
        }),
      ];
    }
  }
  it('that are offered only where they are asked for, can be asked for by name', async () => {
    const { client, model } = await startApplication({ providers: [Giving] }, ['Hi', 'Hi']);
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual([]);
    await client.prompt('Go').tools('rare').call().content();
    expect(offeredTools(model)).toEqual(['rare']);
  });

  it('have their names told to whoever asks a named client for another one', async () => {
    const { app } = await startApplication({ imports: [AiModule.forFeature([{ name: 'a' }])], providers: [Tools] });
    const asked = clientOf(app, 'a').prompt('Go').tools('findOder').call().content();
    await expect(asked).rejects.toThrow(/Unknown tool 'findOder'\. Did you mean 'findOrder'\?/);
  });
});

describe('an application without a client', () => {
  const off = { chat: { client: { enabled: false } } };

  it('does not let one module’s own client hide that another module needs one', async () => {
    const own = { provide: ChatClient, useValue: ChatClient.create(new ScriptedChatModel([])) };
    @Module({ providers: [own] })
    class Own {}
    @Injectable()
    class Needs {
      constructor(readonly client: ChatClient) {}
    }
    @Module({ providers: [Needs] })
    class Other {}
    const { message } = await bootstrapError({ imports: [Own, Other] }, { properties: off });
    expect(message).toMatch(/Needs in Other injects a client/);
  });

  it('may have one of a module’s own, and may do without', async () => {
    class Needs {
      constructor(readonly client: ChatClient) {}
    }
    const own = ChatClient.create(new ScriptedChatModel(['own']));
    @Module({ providers: [{ provide: ChatClient, useValue: own }, Injectable()(Needs) ?? Needs] })
    class Own {}
    const maybe = {
      provide: 'MAYBE',
      inject: [{ token: ChatClient, optional: true }],
      useFactory: (c: unknown) => c ?? 'none',
    };
    const { app } = await startApplication({ imports: [Own], providers: [maybe] }, [], { properties: off });
    expect(app.get('MAYBE')).toBe('none');
  });

  it('tells which factory needs it', async () => {
    @Injectable()
    class Needs {
      constructor(@Optional() readonly client?: ChatClient) {}
    }
    const made = { provide: Needs, inject: [ChatClient], useFactory: (client: ChatClient) => new Needs(client) };
    expect((await bootstrapError({ providers: [made] }, { properties: off })).message).toMatch(
      /Needs in .* injects a client/,
    );
  });
});

describe('a tool that cannot be created', () => {
  class Wrong {
    @Tool({ name: 'x' }) wrong(names: string[]) {
      return names;
    }
  }
  class Right {
    @Tool({ name: 'x' }) right() {
      return 1;
    }
  }
  const given = { imports: [AiModule.forFeature([{ name: 'a', tools: ['x'] }])], providers: [Wrong, Right] };

  it('hides no other mistake about its name', async () => {
    const error = (await bootstrapError(given)) as AiBootstrapException;
    expect(error.problems).toEqual([
      expect.stringMatching(/^The tool 'x' \(Wrong\.wrong\) cannot be offered to a model/),
      expect.stringMatching(/^Multiple tools with the same name \(x\) .* Wrong\.wrong\(\) .* Right\.right\(\)/),
      expect.stringMatching(/^The tools of the client 'a': Multiple tools with the same name \(x\)/),
    ]);
    const alone = (await bootstrapError({ ...given, providers: [Wrong] })) as AiBootstrapException;
    expect(alone.problems).toEqual([expect.stringMatching(/^The tool 'x' \(Wrong\.wrong\)/)]);
  });

  it('does not start without what protects a tool and is misspelled, where the compiler is silent', async () => {
    const cancelling = { description: 'Cancel an order', needApproval: true };
    const auditing = { description: 'The audit of all orders', visable: () => false };
    class Orders {
      @Tool(cancelling) cancel() {
        return 'cancelled';
      }
      @Tool(auditing) audit() {
        return 'audited';
      }
    }
    const { problems } = (await bootstrapError({ providers: [Orders] })) as AiBootstrapException;
    expect(problems).toEqual([
      expect.stringMatching(/\(Orders\.cancel\).* needApproval is no option of a tool\. Did you mean needsApproval\?/),
      expect.stringMatching(/\(Orders\.audit\).* visable is no option of a tool\. Did you mean visible\?/),
    ]);
  });

  it('is told once where the error is printed', async () => {
    const printed = inspect(await bootstrapError(given));
    expect(printed.split('Wrong.wrong) cannot be offered')).toHaveLength(2);
    expect(printed).not.toContain('    at ');
  });
});

describe('a client with two tools of one name', () => {
  class One {
    @Tool({ name: 'x' }) one() {
      return 1;
    }
  }
  class Two {
    @Tool({ name: 'x' }) two() {
      return 2;
    }
  }
  const features = (tools: never[]) => [AiModule.forFeature([{ name: 'a', tools }])];

  it('stops the bootstrap, and no other does', async () => {
    const off = { chat: { client: { enabled: false } } };
    const given = { imports: features([One, Two] as never[]), providers: [One, Two] };
    expect((await bootstrapError(given, { properties: off })).message).toMatch(
      /The tools of the client 'a': Multiple tools/,
    );
    const apart = { imports: features([One] as never[]), providers: [One, Two] };
    expect((await bootstrapError(apart, { properties: off })).message).toBe('The application started.');
    const all = { ...off, clients: { a: { defaultTools: 'discovered' as const } } };
    expect((await bootstrapError(apart, { properties: all })).message).toMatch(
      /Multiple tools with the same name \(x\)/,
    );
  });
});

describe('a request that is made while the application is being made', () => {
  it('is not remembered', async () => {
    class Late {
      @Tool() late() {
        return 1;
      }
    }
    const query = toolsWhere({ names: ['late', 'findOrder'] });
    const warm = {
      provide: 'WARM',
      inject: [ChatClient],
      useFactory: (client: ChatClient) => client.prompt('warm').tools(query).call().content(),
    };
    const slow = { provide: 'LATE', useFactory: () => new Promise((resolve) => setTimeout(resolve, 30, new Late())) };
    const { client, model } = await startApplication({ providers: [Tools, warm, slow] }, ['Hi', 'Hi']);
    await client.prompt('Go').tools(query).call().content();
    expect(offeredTools(model)).toContain('late');
  });
});

describe('flat keys for tools and clients that are not there', () => {
  it('are refused in their values, as nested ones are', async () => {
    const config = await ConfigModule.forRoot({
      isGlobal: true,
      ignoreEnvFile: true,
      load: [() => ({ 'ai.tools.overrides.findOrder.enabled': 'perhaps' })],
    });
    const { message } = await bootstrapError({ imports: [config], providers: [Tools] });
    expect(message).toMatch(/ai\.tools\.overrides\.findOrder\.enabled is 'perhaps'/);
  });
});

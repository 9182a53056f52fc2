import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, Optional, Scope } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { ContextIdFactory, NestFactory, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  BaseAdvisor,
  ChatClient,
  ChatClientBuilder,
  ChatClientCustomizer,
  type ChatClientRequest,
  ChatModel,
  FunctionToolCallback,
  getChatClientToken,
  InjectChatClient,
  RegisterAdvisor,
  Tool,
  ToolCallingAdvisor,
  toolsWhere,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { bootstrapError, callOf, offeredTools, startApplication } from './application.js';

@Injectable()
class OrderTools {
  @Tool() findOrder() {
    return 'order 7';
  }
}
@Injectable()
class UserTools {
  @Tool() findUser() {
    return 'ann';
  }
}
const tools = [OrderTools, UserTools];
const feature = AiModule.forFeature.bind(AiModule);
const clientOf = (app: { get(token: never): unknown }, name: string) =>
  app.get(getChatClientToken(name) as never) as ChatClient;

describe('a named client', () => {
  it('is not lost where Nest tells modules apart by their contents', async () => {
    @Module({ imports: [feature([{ name: 'x', system: 'A' }])] })
    class A {}
    @Module({ imports: [feature([{ name: 'x', system: 'B' }])] })
    class B {}
    @Module({ imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }), A, B] })
    class App {}
    const options = { moduleIdGeneratorAlgorithm: 'deep-hash', logger: false, abortOnError: false } as const;
    await expect(NestFactory.createApplicationContext(App, options)).rejects.toThrow("Two clients are named 'x'");
  });

  it('is injected by its name, with its own model, tools, instructions and options', async () => {
    const own = new ScriptedChatModel(callOf('findOrder'));
    @Injectable()
    class Support {
      constructor(
        @InjectChatClient('support') readonly client: ChatClient,
        @InjectChatClient() readonly usual: ChatClient,
      ) {}
    }
    @Module({
      imports: [
        feature([
          { name: 'support', chatModel: own, tools: [OrderTools], system: 'Help', options: { temperature: 0.1 } },
        ]),
      ],
      providers: [Support],
    })
    class SupportModule {}
    const { app, client, model } = await startApplication({ imports: [SupportModule], providers: tools }, ['usual']);
    const support = app.get(Support);
    expect(await support.client.prompt('Go').call().content()).toBe('done');
    expect(offeredTools(own)).toEqual(['findOrder']);
    expect(own.lastPrompt?.messages[0]).toMatchObject({ role: 'system', text: 'Help' });
    expect(own.lastPrompt?.options?.temperature).toBe(0.1);
    expect(support.usual).toBe(client);
    expect(await client.prompt('Go').call().content()).toBe('usual');
    expect(offeredTools(model)).toEqual(['findOrder', 'findUser']);
  });

  it.each([
    ['forFeature()', feature({ name: 'only' })],
    ['forFeatureAsync()', AiModule.forFeatureAsync({ name: 'only', useFactory: () => ({}) })],
  ])('needs no list when it is the only one of %s', async (_how, module) => {
    const { app } = await startApplication({ imports: [module] }, ['Hi']);
    expect(await clientOf(app, 'only').prompt('Go').call().content()).toBe('Hi');
  });

  it('offers no tools when it is given none, and runs none of the others', async () => {
    const { app, model } = await startApplication(
      { imports: [feature([{ name: 'bare' }])], providers: tools },
      callOf('findOrder'),
    );
    expect(await clientOf(app, 'bare').prompt('Go').call().content()).toBe('done');
    expect(offeredTools(model)).toEqual([]);
    expect(model.toolResponses).toEqual([expect.stringMatching(/^Unknown tool 'findOrder'/)]);
  });

  it('takes tools by class, name, query, callback and instance', async () => {
    const given = [
      OrderTools,
      'findUser',
      toolsWhere({ classes: [OrderTools] }),
      new FunctionToolCallback({ name: 'made', toolFunction: () => 1 }),
    ];
    const { app, model } = await startApplication(
      { imports: [feature([{ name: 'all', tools: given }])], providers: tools },
      ['Hi'],
    );
    await clientOf(app, 'all').prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['findOrder', 'findUser', 'made']);
  });

  it('takes its model from a provider of any module', async () => {
    const special = new ScriptedChatModel(['special']);
    @Module({ providers: [{ provide: 'SPECIAL', useFactory: async () => special }] })
    class Models {}
    const { app } = await startApplication({
      imports: [feature([{ name: 'special', chatModel: 'SPECIAL' as never }]), Models],
    });
    expect(await clientOf(app, 'special').prompt('Go').call().content()).toBe('special');
  });

  it('needs no model of the application when all have their own', async () => {
    const own = new ScriptedChatModel(['own']);
    const { app } = await startApplication({ imports: [feature([{ name: 'a', chatModel: own }])] }, [], {
      chatModel: undefined as never,
      properties: { chat: { client: { enabled: false } } },
    });
    expect(await clientOf(app, 'a').prompt('Go').call().content()).toBe('own');
  });

  it('has advisors of its own: instances, classes with dependencies, and those that are registered for it', async () => {
    const seen: string[] = [];
    @Injectable()
    class Log {
      readonly add = (name: string) => seen.push(name);
    }
    abstract class Telling extends BaseAdvisor {
      override readonly name = this.constructor.name;
      constructor(@Inject(Log) private readonly log: Log) {
        super();
      }
      override before(request: ChatClientRequest) {
        this.log.add(this.name);
        return request;
      }
    }
    @Injectable()
    class ByClass extends Telling {}
    class ByInstance extends Telling {}
    @RegisterAdvisor({ clients: ['support', 'default'] })
    @Injectable()
    class Both extends Telling {}
    @RegisterAdvisor()
    @Injectable()
    class OnlyDefault extends Telling {}
    @RegisterAdvisor({ clients: ['support'] })
    @Injectable()
    class OnlySupport extends Telling {}
    const advisors = [ByClass, new ByInstance({ add: (name: string) => seen.push(name) })];
    const { app, client } = await startApplication(
      {
        imports: [feature([{ name: 'support', advisors }], { providers: [Log] })],
        providers: [Log, Both, OnlyDefault, OnlySupport],
      },
      ['Hi', 'Hi'],
    );
    await client.prompt('Go').call().content();
    expect(seen.splice(0)).toEqual(['Both', 'OnlyDefault']);
    await clientOf(app, 'support').prompt('Go').call().content();
    expect(seen).toEqual(['Both', 'OnlySupport', 'ByClass', 'ByInstance']);
  });

  it('may be made of what a factory injects', async () => {
    @Module({ providers: [{ provide: 'NAME', useValue: 'Otto' }], exports: ['NAME'] })
    class Names {}
    const { app, model } = await startApplication(
      {
        imports: [
          AiModule.forFeatureAsync(
            [{ name: 'x', inject: ['NAME'], useFactory: async (name: string) => ({ system: `You are ${name}` }) }],
            { imports: [Names] },
          ),
        ],
      },
      ['Hi'],
    );
    await clientOf(app, 'x').prompt('Go').call().content();
    expect(model.lastPrompt?.messages[0]).toMatchObject({ text: 'You are Otto' });
  });

  it('is found where AiModule is not global, when its module imports it', async () => {
    const chatModel = new ScriptedChatModel(['Hi']);
    const ai = AiModule.forRoot({ chatModel, isGlobal: false });
    const named = feature([{ name: 'x' }], { imports: [ai] });
    const module = await Test.createTestingModule({ imports: [ai, named] }).compile();
    expect(await clientOf(module, 'x').prompt('Go').call().content()).toBe('Hi');
    const alone = Test.createTestingModule({ imports: [ai, feature([{ name: 'x' }])] }).compile();
    await expect(alone).rejects.toThrow(/AiModule\.forRoot\(\), global or among the imports/);
  });
});

describe('a ChatClientCustomizer', () => {
  it('changes every client of the application, which may say something else', async () => {
    class HouseStyle extends ChatClientCustomizer {
      override customize(builder: ChatClientBuilder, clientName: string) {
        builder.defaultSystem(`House style of ${clientName}`).defaultOptions({ temperature: 0.3 });
      }
    }
    const { app, client, model } = await startApplication(
      { imports: [feature([{ name: 'plain' }, { name: 'own', system: 'Own style', options: { temperature: 1 } }])] },
      ['Hi', 'Hi', 'Hi', 'Hi'],
      { providers: [{ provide: ChatClientCustomizer, useClass: HouseStyle }] },
    );
    const builder = await app.resolve(ChatClientBuilder);
    const seen: unknown[] = [];
    for (const asked of [client, clientOf(app, 'plain'), clientOf(app, 'own'), builder.defaultSystem('Mine').build()]) {
      await asked.prompt('Go').call().content();
      const { messages, options } = model.lastPrompt!;
      seen.push([(messages[0] as { text: string }).text, options?.temperature]);
    }
    expect(seen).toEqual([
      ['House style of default', 0.3],
      ['House style of plain', 0.3],
      ['Own style', 1],
      ['Mine', 0.3],
    ]);
  });
});

describe('a client for each request', () => {
  it('has its tools called on behalf of that request, without a word', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Me {
      constructor(@Inject(REQUEST) private readonly request: { user: string }) {}
      @Tool() whoAmI() {
        return this.request.user;
      }
    }
    const mine = {
      provide: 'mine',
      scope: Scope.REQUEST,
      inject: [getChatClientToken('support'), REQUEST],
      useFactory: (client: ChatClient, request: object) => client.withRequest(request),
    };
    const { app, model } = await startApplication(
      { imports: [feature([{ name: 'support', tools: [Me] }])], providers: [Me, mine] },
      [...callOf('whoAmI'), ...callOf('whoAmI')],
    );
    const users: string[] = [];
    for (const user of ['ann', 'bob']) {
      const request = { user };
      const contextId = ContextIdFactory.getByRequest(request);
      app.registerRequestByContextId(request, contextId);
      const client = await app.resolve<ChatClient>('mine', contextId, { strict: false });
      await client.prompt('Who?').call().content();
      users.push(...model.toolResponses);
    }
    expect(users).toEqual(['ann', 'bob']);
  });

  it('may be made of any client', async () => {
    const { client, model, app } = await startApplication({ providers: [OrderTools] }, callOf('findOrder'));
    const mine = client.withRequest({ user: 'ann' });
    expect(await mine.prompt('Go').call().content()).toBe('done');
    expect(offeredTools(model)).toEqual(['findOrder']);
    expect(app.get(ChatClient)).toBe(client);
  });
});

describe('the configuration of clients', () => {
  const start = async (
    ai: object,
    options: Parameters<typeof startApplication>[2] = {},
    script = callOf('findOrder'),
  ) => {
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => ({ ai })] });
    return startApplication(
      { imports: [config, feature([{ name: 'support', tools: [OrderTools] }])], providers: tools },
      script,
      options,
    );
  };

  it('turns off the loop of one client, or of all but one', async () => {
    const rounds = async (ai: object, name: string) => {
      const { app, model } = await start(ai);
      await clientOf(app, name).prompt('Go').call().content();
      return model.prompts.length;
    };
    const off = { 'tool-calling': { enabled: false } };
    const on = { toolCalling: { enabled: true } };
    expect(await rounds({ clients: { support: off } }, 'support')).toBe(1);
    expect(await rounds({ clients: { support: off } }, 'default')).toBe(2);
    expect(await rounds({ chat: { client: off } }, 'support')).toBe(1);
    expect(await rounds({ chat: { client: off }, clients: { support: on } }, 'support')).toBe(2);
  });

  it('gives a client all tools of the application', async () => {
    const { app, model } = await start({ clients: { support: { defaultTools: 'discovered' } } });
    await clientOf(app, 'support').prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['findOrder', 'findUser']);
  });

  it('limits the rounds of a client, by an environment variable as well', async () => {
    const endless = Array.from({ length: 9 }, () => ({ toolCalls: [toolCall('findOrder')] }));
    const reason = async (ai: object, name: string) => {
      const { app } = await start(ai, {}, [...endless.slice(0, 2), 'enough'] as never);
      const { metadata } = (await clientOf(app, name).prompt('Go').call().chatResponse())!.result!;
      return metadata?.finishReason;
    };
    expect(await reason({ clients: { support: { toolCalling: { maxRounds: 2 } } } }, 'support')).toBe(
      'maxRoundsExceeded',
    );
    expect(await reason({ clients: { support: { toolCalling: { maxRounds: 2 } } } }, 'default')).toBe('stop');
    process.env.AI_CLIENTS_SUPPORT_TOOL_CALLING_MAX_ROUNDS = '2';
    try {
      expect(await reason({}, 'support')).toBe('maxRoundsExceeded');
    } finally {
      delete process.env.AI_CLIENTS_SUPPORT_TOOL_CALLING_MAX_ROUNDS;
    }
  });

  it('says so when a client cannot be configured apart, since the loop of the application is replaced', async () => {
    class Own extends ToolCallingAdvisor {}
    const started = start(
      { clients: { support: { toolCalling: { maxRounds: 2 } } } },
      { providers: [{ provide: ToolCallingAdvisor, useClass: Own }] },
    );
    await expect(started).rejects.toThrow(
      /ai\.clients\.support\.tool-calling\.advisor-order and \.max-rounds and \.turn-lease has no effect, because Own/,
    );
  });

  it('turns off a client, or the one of the application', async () => {
    const { app, client } = await start({ clients: { support: { enabled: false } } });
    expect(clientOf(app, 'support')).toBeUndefined();
    expect(await client.prompt('Go').call().content()).toBe('done');
    const other = await start({ chat: { client: { enabled: 'false' } } });
    expect(other.client).toBeUndefined();
    expect(other.app.get(ChatModel)).toBeInstanceOf(ScriptedChatModel);
    expect(await clientOf(other.app, 'support').prompt('Go').call().content()).toBe('done');
  });

  it('that turns off what somebody needs stops the bootstrap, and names who', async () => {
    @Injectable()
    class Needs {
      constructor(readonly client: ChatClient) {}
      @InjectChatClient('support') readonly support!: ChatClient;
    }
    @Injectable()
    class CanDoWithout {
      constructor(@Optional() readonly builder: ChatClientBuilder) {}
    }
    const { message } = await bootstrapError(
      { imports: [feature([{ name: 'support' }])], providers: [Needs, CanDoWithout] },
      { properties: { chat: { client: { enabled: false } }, clients: { support: { enabled: false } } } },
    );
    expect(message).toMatch(/^2 problems/);
    expect(message).toMatch(/Needs in .* injects a client that ai\.chat\.client\.enabled=false turns off/);
    expect(message).toMatch(/Needs in .* injects a client that ai\.clients\.support\.enabled=false turns off/);
  });
});

describe('mistakes with named clients', () => {
  it('are all told at the bootstrap, with the remedy', async () => {
    @RegisterAdvisor({ clients: ['suport'] })
    @Injectable()
    class Lost extends BaseAdvisor {
      readonly name = 'lost';
    }
    class NoTools {}
    const { message } = await bootstrapError(
      {
        imports: [
          feature([
            { name: 'support', tools: ['findOder', NoTools], chatModel: 'MISSING' as never },
            { name: 'twice' },
            { name: 'default' },
            { name: '' },
          ]),
          feature([{ name: 'twice' }, { name: 'broken', chatModel: {} as never }]),
        ],
        providers: [...tools, Lost],
      },
      { properties: { clients: { support: { toolCalling: { maxRounds: 0 } } } } },
    );
    expect(message).toMatch(/Two clients are named 'twice'/);
    expect(message).toMatch(/A client of AiModule\.forFeature\(\) is named 'default'/);
    expect(message).toMatch(/is named ''/);
    expect(message).toMatch(/The tools of the client 'support': Unknown tool 'findOder'\. Did you mean 'findOrder'\?/);
    expect(message).toMatch(/The tools of the client 'support': No @Tool\(\) methods found in NoTools/);
    expect(message).toMatch(/The ChatModel of the client 'support' is missing\. Provide MISSING/);
    expect(message).toMatch(/Lost has @RegisterAdvisor\(\{ clients: \['suport'\] \}\), .* Did you mean 'support'\?/);
    expect(message).toMatch(/ai\.clients\.support\.tool-calling\.max-rounds is 0/);
    expect(message).toMatch(/The ChatModel given to the client 'broken' has no call\(\)/);
  });
});

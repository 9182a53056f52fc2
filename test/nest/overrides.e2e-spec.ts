import { describe, expect, it, jest } from '@jest/globals';
import { Inject, Injectable, Logger, Module, Scope } from '@nestjs/common';
import { ConfigModule, ConfigService, registerAs } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  AiProperties,
  BaseAdvisor,
  type CallAdvisor,
  ChatClient,
  ChatClientBuilder,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatModel,
  DefaultToolCallingManager,
  DefaultToolExecutionExceptionProcessor,
  FunctionToolCallback,
  RegisterAdvisor,
  StaticToolCallbackResolver,
  Tool,
  TOOL_CALLING_ADVISOR_OPTIONS,
  ToolAdvisor,
  ToolCallbackResolver,
  ToolCallingAdvisor,
  type ToolCallingAdvisorOptions,
  ToolCallingManager,
  ToolExecutionExceptionProcessor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { bootstrapError, startApplication } from './application.js';

@Injectable()
class Tools {
  @Tool() work() {
    return 'worked';
  }
  @Tool() fail() {
    throw new Error('failed');
  }
}

const loop = (name = 'work') => [{ toolCalls: [toolCall(name)] }, 'Done'];

class OwnAdvisor extends ToolCallingAdvisor {
  override readonly name = 'own';
  protected override doFinalizeLoop(response: ChatClientResponse): ChatClientResponse {
    return { ...response, context: { ...response.context, by: this.name } };
  }
}

describe('a default provider', () => {
  it.each([
    ['useClass', { provide: ToolCallingAdvisor, useClass: OwnAdvisor }],
    ['useValue', { provide: ToolCallingAdvisor, useValue: new OwnAdvisor() }],
    [
      'useFactory',
      {
        provide: ToolCallingAdvisor,
        inject: [ToolCallingManager],
        useFactory: (toolCallingManager: ToolCallingManager) => new OwnAdvisor({ toolCallingManager }),
      },
    ],
  ])('is replaced by one of the same token: ToolCallingAdvisor with %s', async (_name, provider) => {
    const { client, app } = await startApplication({ providers: [Tools] }, loop(), { providers: [provider] });
    expect((await client.prompt('Go').call().chatClientResponse()).context.by).toBe('own');
    expect(app.get(ToolCallingAdvisor)).toBeInstanceOf(OwnAdvisor);
  });

  it('is replaced by a subclass that is configured as the default would be', async () => {
    @Injectable()
    class Counting extends DefaultToolCallingManager {
      static executions = 0;
      override executeToolCalls(...args: Parameters<DefaultToolCallingManager['executeToolCalls']>) {
        Counting.executions++;
        return super.executeToolCalls(...args);
      }
      get configured() {
        return this.options;
      }
    }
    const { client, app } = await startApplication({ providers: [Tools] }, loop(), {
      properties: {
        tools: { concurrency: 2, timeout: 500, limits: { maxTotalToolCalls: 9 } },
        chat: { client: { toolCalling: { advisorOrder: 77, maxRounds: 4 } } },
      },
      providers: [
        { provide: ToolCallingManager, useClass: Counting },
        { provide: ToolCallingAdvisor, useClass: OwnAdvisor },
      ],
    });
    await client.prompt('Go').call().content();
    expect(Counting.executions).toBe(1);
    expect((app.get(ToolCallingManager) as Counting).configured).toMatchObject({
      concurrency: 2,
      timeout: 500,
      limits: { maxTotalToolCalls: 9 },
    });
    expect(app.get(ToolCallingAdvisor).order).toBe(77);
  });

  it('is replaced: ToolExecutionExceptionProcessor', async () => {
    const processor = { process: () => 'A friend will look at it.' };
    const { client, model } = await startApplication({ providers: [Tools] }, loop('fail'), {
      providers: [{ provide: ToolExecutionExceptionProcessor, useValue: processor }],
    });
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['A friend will look at it.']);
  });

  it('is replaced: ToolCallbackResolver', async () => {
    const { client } = await startApplication({ providers: [Tools] }, [], {
      providers: [{ provide: ToolCallbackResolver, useValue: new StaticToolCallbackResolver([]) }],
    });
    await expect(client.prompt('Go').tools('nope').call().content()).rejects.toThrow(/Unknown tool 'nope'/);
  });

  it('is replaced: ChatClient', async () => {
    const own = ChatClient.create(new ScriptedChatModel(['own']));
    const { client } = await startApplication({}, [], { providers: [{ provide: ChatClient, useValue: own }] });
    expect(await client.prompt('Go').call().content()).toBe('own');
  });

  it('is replaced in tests: overrideProvider(ChatModel)', async () => {
    const fake = new ScriptedChatModel(['fake']);
    const { client } = await startApplication({}, ['real'], {}, (builder) =>
      builder.overrideProvider(ChatModel).useValue(fake),
    );
    expect(await client.prompt('Go').call().content()).toBe('fake');
  });
});

describe('ai.chat.client.tool-calling.enabled=false', () => {
  it('leaves the tools declared, and runs none', async () => {
    const { client } = await startApplication({ providers: [Tools] }, loop(), {
      properties: { chat: { client: { toolCalling: { enabled: false } } } },
    });
    const response = await client.prompt('Go').call().chatResponse();
    expect(response?.result?.output.toolCalls).toMatchObject([{ name: 'work' }]);
  });
});

@RegisterAdvisor()
@Injectable()
class Audit extends BaseAdvisor {
  readonly name = 'audit';
  rounds = 0;
  override before(request: ChatClientRequest): ChatClientRequest {
    this.rounds++;
    return request;
  }
}

@RegisterAdvisor()
@Injectable()
class Replacement implements CallAdvisor, ToolAdvisor {
  readonly [ToolAdvisor] = true;
  readonly name = 'replacement';
  readonly order = 0;
  async adviseCall({ context }: ChatClientRequest): Promise<ChatClientResponse> {
    return { context: { ...context, by: this.name } };
  }
}

describe('an advisor with @RegisterAdvisor()', () => {
  it('joins the injected client, with what is injected into it', async () => {
    const { client, app } = await startApplication({ providers: [Tools, Audit] }, loop());
    await client.prompt('Go').call().content();
    expect(app.get(Audit).rounds).toBe(2);
  });

  it('replaces the default tool advisor when it is one itself', async () => {
    const { client } = await startApplication({ providers: [Tools, Replacement] });
    expect((await client.prompt('Go').call().chatClientResponse()).context.by).toBe('replacement');
  });

  it('stops the bootstrap when there are two tool advisors', async () => {
    @RegisterAdvisor()
    @Injectable()
    class Another extends ToolCallingAdvisor {}
    const { message } = await bootstrapError({ providers: [Replacement, Another] });
    expect(message).toMatch(/At most one ToolAdvisor is allowed.*found 2: \[replacement .*Tool Calling Advisor/);
  });
});

describe('a class with @RegisterAdvisor()', () => {
  it('is registered once, however many modules provide it', async () => {
    @Module({ providers: [Audit] })
    class One {}
    @Module({ providers: [Audit] })
    class Two {}
    const { client, app } = await startApplication({ imports: [One, Two] }, ['Hi']);
    await client.prompt('Go').call().content();
    const rounds = [One, Two].map((module) => app.select(module).get(Audit, { strict: true }).rounds);
    expect(rounds).toEqual([1, 0]);
  });

  it('has to be an advisor, and one for all requests', async () => {
    @RegisterAdvisor()
    class Nothing {}
    @RegisterAdvisor()
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends BaseAdvisor {
      readonly name = 'scoped';
    }
    const { message } = await bootstrapError({ providers: [Nothing, Scoped] });
    expect(message).toMatch(/Nothing in .* has @RegisterAdvisor\(\), but is not an advisor/);
    expect(message).toMatch(/The advisor Scoped in .* is request-scoped/);
  });
});

describe('ai.chat.client.observations', () => {
  it.each([
    [{}, 0],
    [{ logPrompt: true }, 2],
    [{ logCompletion: true }, 2],
    [{ logPrompt: true, logCompletion: true }, 4],
  ])('%j has what is said and heard in each round logged, and nothing else', async (observations, count) => {
    const lines: string[] = [];
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation((message) => void lines.push(String(message)));
    try {
      const { client } = await startApplication({ providers: [Tools] }, loop(), {
        properties: { chat: { client: { observations } } },
      });
      await client.prompt('SECRET').call().content();
      expect(lines.filter((line) => /^request: .*SECRET|^response: /.test(line))).toHaveLength(count);
    } finally {
      log.mockRestore();
    }
  });
});

describe('properties', () => {
  const read = async (imports: never[] | unknown[], options = {}) => {
    const { app } = await startApplication({ imports: imports as never[] }, [], options);
    return app.get(AiProperties);
  };

  it('come from the configuration, over the options, over the defaults', async () => {
    const config = ConfigModule.forRoot({
      isGlobal: true,
      ignoreEnvFile: true,
      load: [registerAs('ai', () => ({ chat: { client: { 'tool-calling': { 'max-rounds': 5 } } } }))],
    });
    const properties = await read([config], {
      properties: { chat: { client: { toolCalling: { maxRounds: 9 } } }, tools: { concurrency: 2 } },
    });
    expect(properties.chat.client.toolCalling.maxRounds).toBe(5);
    expect(properties.tools.concurrency).toBe(2);
    expect(properties.tools.limits.maxTotalToolCalls).toBe(150);
  });

  it('come from environment variables', async () => {
    process.env.AI_TOOLS_LIMITS_MAX_TOTAL_TOOL_CALLS = '7';
    try {
      const properties = await read([ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true })]);
      expect(properties.tools.limits.maxTotalToolCalls).toBe(7);
    } finally {
      delete process.env.AI_TOOLS_LIMITS_MAX_TOTAL_TOOL_CALLS;
    }
  });

  it('govern what happens: a failing tool ends the turn', async () => {
    const { client } = await startApplication({ providers: [Tools] }, loop('fail'), {
      properties: { tools: { throwExceptionOnError: true } },
    });
    await expect(client.prompt('Go').call().content()).rejects.toMatchObject({
      name: 'ToolExecutionException',
      message: 'failed',
    });
  });

  it('govern what happens: the resolver is a fallback only when allowed', async () => {
    const run = async (enabled: boolean) => {
      const { client, model } = await startApplication({ providers: [Tools] }, loop(), {
        properties: { tools: { resolution: { fallback: { enabled } } } },
      });
      await client.prompt('Go').tools('fail').call().content();
      return model.toolResponses[0];
    };
    expect(await run(true)).toBe('worked');
    expect(await run(false)).toMatch(/Unknown tool/);
  });
});

describe('the configuration', () => {
  it('is read once: a change while the application runs changes nothing', async () => {
    const variable = 'AI_TOOLS_OVERRIDES_MADE_DESCRIPTION';
    process.env[variable] = 'before, too';
    const load = { ai: { tools: { overrides: { work: { description: 'before' } } } } };
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => load] });
    const keys = ['ai.tools.overrides.work.description', 'ai.tools.overrides.other.description', variable];
    try {
      const { app, client, model } = await startApplication({ imports: [config], providers: [Tools] }, ['Hi']);
      for (const key of keys) app.get(ConfigService).set(key, 'after');
      const given = ['made', 'other'].map(
        (name) => new FunctionToolCallback({ name, description: name, toolFunction: () => 1 }),
      );
      await client
        .prompt('Go')
        .tools(Tools, ...given)
        .call()
        .content();
      const described = model.lastPrompt?.options?.toolCallbacks?.map(
        ({ toolDefinition }) => toolDefinition.description,
      );
      expect(described).toEqual(['before', 'fail', 'before, too', 'other']);
    } finally {
      for (const key of keys) delete process.env[key];
    }
  });

  it('may limit single tools in every spelling, since the tools are known', async () => {
    const limited = async (load: Record<string, unknown>, environment: Record<string, string> = {}) => {
      Object.assign(process.env, environment);
      const config = ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => load] });
      try {
        const script = [{ toolCalls: [toolCall('work'), toolCall('work')] }, 'Done'];
        const { client } = await startApplication({ imports: [await config], providers: [Tools] }, script);
        return (await client.prompt('Go').call().chatResponse())?.result?.metadata?.finishReason;
      } finally {
        for (const key of Object.keys(environment)) delete process.env[key];
      }
    };
    const reason = 'toolCallLimitExceeded';
    expect(await limited({ ai: { tools: { limits: { 'max-calls-per-tool': { work: 1 } } } } })).toBe(reason);
    expect(await limited({ 'ai.tools.limits.max-calls-per-tool.work': 1 })).toBe(reason);
    expect(await limited({ ai: { tools: { limits: { maxCallsPerTool: { other: 9 } } } } })).toBe('stop');
    expect(await limited({}, { AI_TOOLS_LIMITS_MAX_CALLS_PER_TOOL_WORK: '1' })).toBe(reason);
    const wrong = limited({ 'ai.tools.limits.max-calls-per-tool.work': 'few' });
    await expect(wrong).rejects.toThrow(/max-calls-per-tool\.work is 'few', but has to be/);
  });

  it.each([false, true])(
    'may limit tools although the model makes up names (looked up elsewhere: %s)',
    async (enabled) => {
      const names = [undefined, '', ' ', 'a.b', '__proto__', 'constructor', 'toString', '$'.repeat(300)] as string[];
      const script = [{ toolCalls: [...names.map((name) => toolCall(name)), toolCall('work')] }, 'Done'];
      const load = { ai: { tools: { limits: { 'max-calls-per-tool': { work: 1 } } } } };
      const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => load] });
      const { client, model } = await startApplication({ imports: [config], providers: [Tools] }, script, {
        properties: { tools: { resolution: { fallback: { enabled } } } },
      });
      expect(await client.prompt('Go').call().content()).toBe('Done');
      expect(model.toolResponses).toEqual([...names.map(() => expect.stringMatching(/tool/i)), 'worked']);
    },
  );

  it('is not silently overlooked when AiModule cannot see it', async () => {
    @Module({ imports: [ConfigModule.forRoot({ ignoreEnvFile: true })] })
    class Feature {}
    expect((await bootstrapError({ imports: [Feature] })).message).toMatch(
      /AiModule cannot see the ConfigModule.*isGlobal: true/,
    );
  });
});

describe('the model', () => {
  it('has to be one, of which there is one', async () => {
    const { message } = await bootstrapError({}, { chatModel: {} as never });
    expect(message).toMatch(/The ChatModel given to AiModule has no call\(\)/);
    const scoped = { provide: ChatModel, scope: Scope.REQUEST, useFactory: () => new ScriptedChatModel([]) };
    const error = await bootstrapError({ providers: [scoped] }, { chatModel: undefined as never });
    expect(error.message).toMatch(/The ChatModel in .* is request-scoped/);
  });

  it('may be missing in the options of a factory that returns nothing, which is told', async () => {
    const module = await Test.createTestingModule({
      imports: [AiModule.forRootAsync({ useFactory: () => undefined as never })],
    }).compile();
    await expect(module.init()).rejects.toThrow(/2 problems:.*returned no options.*There is no ChatModel/s);
  });

  it('may come from a factory', async () => {
    const chatModel = new ScriptedChatModel(['Hi']);
    const module = await Test.createTestingModule({
      imports: [
        AiModule.forRootAsync({ useFactory: async () => ({ chatModel, properties: { tools: { concurrency: 3 } } }) }),
      ],
    }).compile();
    expect(await module.get(ChatClient).prompt('Hi').call().content()).toBe('Hi');
    expect(module.get(AiProperties).tools.concurrency).toBe(3);
    expect(
      await module
        .get(ChatModel)
        .call({ messages: [] } as never)
        .catch((error: Error) => error.message),
    ).toMatch(/script/);
  });

  it('may come from a class that makes the options, with what is injected into it', async () => {
    @Injectable()
    class Secret {
      readonly answer = 'forty-two';
    }
    @Module({ providers: [Secret], exports: [Secret] })
    class SecretModule {}
    @Injectable()
    class AiOptions {
      constructor(private readonly secret: Secret) {}
      createAiOptions() {
        return { chatModel: new ScriptedChatModel([this.secret.answer]) };
      }
    }
    const module = await Test.createTestingModule({
      imports: [AiModule.forRootAsync({ imports: [SecretModule], useClass: AiOptions })],
    }).compile();
    expect(await module.get(ChatClient).prompt('Hi').call().content()).toBe('forty-two');
  });

  it('may be one that any module of the application provides', async () => {
    const module = await Test.createTestingModule({
      imports: [AiModule.forRoot()],
      providers: [{ provide: ChatModel, useFactory: async () => new ScriptedChatModel(['late']) }],
    }).compile();
    await module.init();
    expect(await module.get(ChatClient).prompt('Hi').call().content()).toBe('late');
  });

  it('stops the bootstrap when there is none, and says what to do', async () => {
    const { message } = await bootstrapError({}, { chatModel: undefined as never });
    expect(message).toMatch(
      /There is no ChatModel\. Pass one to AiModule\.forRoot\(\{ chatModel \}\), import AiSdkModule/,
    );
  });

  it('missing, rejects the bootstrap of an application and does not end the process', async () => {
    @Module({ imports: [AiModule.forRoot()] })
    class AppModule {}
    const boot = NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    await expect(boot).rejects.toThrow('There is no ChatModel');
  });
});

describe('what can be injected', () => {
  it('is a builder of one’s own at each place, which starts with the tools of the application', async () => {
    @Injectable()
    class Consumer {
      readonly client: ChatClient;
      constructor(
        readonly builder: ChatClientBuilder,
        readonly processor: ToolExecutionExceptionProcessor,
      ) {
        this.client = builder.defaultSystem('Be brief').build();
      }
    }
    @Injectable()
    class Other {
      constructor(readonly builder: ChatClientBuilder) {}
    }
    const { app, model } = await startApplication({ providers: [Consumer, Other, Tools] }, loop());
    const consumer = app.get(Consumer);
    expect(consumer.builder).not.toBe(app.get(Other).builder);
    expect(consumer.processor).toBeInstanceOf(DefaultToolExecutionExceptionProcessor);
    expect(await consumer.client.prompt('Go').call().content()).toBe('Done');
    expect(model.lastPrompt?.messages[0]).toMatchObject({ role: 'system', text: 'Be brief' });
  });

  it('is only there for modules that import AiModule when it is not global', async () => {
    @Injectable()
    class Consumer {
      constructor(readonly client: ChatClient) {}
    }
    @Module({ providers: [Consumer] })
    class Elsewhere {}
    const chatModel = new ScriptedChatModel([]);
    const build = (isGlobal: boolean) =>
      Test.createTestingModule({ imports: [AiModule.forRoot({ chatModel, isGlobal }), Elsewhere] }).compile();
    expect((await build(true)).get(Consumer, { strict: false }).client).toBeInstanceOf(ChatClient);
    await expect(build(false)).rejects.toThrow(/can't resolve dependencies of the Consumer/);
  });
});

describe('a subclass of the loop with a constructor of its own', () => {
  @Injectable()
  class Audit {
    readonly seen: string[] = [];
  }

  @Injectable()
  class Audited extends ToolCallingAdvisor {
    constructor(
      readonly audit: Audit,
      @Inject(TOOL_CALLING_ADVISOR_OPTIONS) options: ToolCallingAdvisorOptions,
    ) {
      super(options);
    }

    protected override doAfterCall(response: ChatClientResponse): ChatClientResponse {
      this.audit.seen.push(response.chatResponse?.text ?? '');
      return response;
    }
  }

  @RegisterAdvisor()
  @Injectable()
  class Registered extends Audited {}

  @RegisterAdvisor()
  @Injectable()
  class OnlyAudit extends ToolCallingAdvisor {
    constructor(readonly audit: Audit) {
      super();
    }

    protected override doAfterCall(response: ChatClientResponse): ChatClientResponse {
      this.audit.seen.push(response.chatResponse?.text ?? '');
      return response;
    }
  }

  @RegisterAdvisor()
  @Injectable()
  class Plain extends ToolCallingAdvisor {}

  const properties = { chat: { client: { toolCalling: { advisorOrder: 77 } } } };

  it('is given what it asks for, and configured like the default', async () => {
    const providers = [Audit, { provide: ToolCallingAdvisor, useClass: Audited }];
    const { app, client } = await startApplication({}, ['Hi'], { providers, properties });
    await client.prompt('Hello').call().content();
    expect(app.get(Audit).seen).toEqual(['Hi']);
    expect(app.get(ToolCallingAdvisor).order).toBe(77);
  });

  it.each([
    [Registered, 77],
    [OnlyAudit, ToolCallingAdvisor.DEFAULT_ORDER],
  ])('may be found among the providers of any module', async (type, order) => {
    const { app, client } = await startApplication({ providers: [Audit, type] }, ['Hi'], { properties });
    await client.prompt('Hello').call().content();
    expect(app.get(Audit).seen).toEqual(['Hi']);
    expect(app.get<ToolCallingAdvisor>(type).order).toEqual(order);
  });

  it('without one is configured wherever it is found', async () => {
    const { app } = await startApplication({ providers: [Plain] }, ['Hi'], { properties });
    expect(app.get(Plain).order).toBe(77);
  });
});

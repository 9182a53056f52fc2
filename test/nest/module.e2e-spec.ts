import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  ConsoleLogger,
  type DynamicModule,
  Injectable,
  type INestApplicationContext,
  Module,
  type ModuleMetadata,
} from '@nestjs/common';
import { ConfigModule, ConfigService, registerAs } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  type AiModuleOptions,
  ChatClient,
  ChatMemory,
  ChatModel,
  MessageChatMemoryAdvisor,
  Tool,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { callOf, offeredTools } from './application.js';

const opened: INestApplicationContext[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

const silent = { logger: false } as const;

async function start(root: ModuleMetadata | (new () => object)): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext(root, silent);
  opened.push(app);
  return app;
}

@Injectable()
class StoryTools {
  private told = 0;
  @Tool() story() {
    return `Once upon a time, story ${++this.told}`;
  }
}

@Injectable()
class Assistant {
  constructor(readonly client: ChatClient) {}
  ask() {
    return this.client.prompt('Tell me a story').call().content();
  }
}

const shortResults = { tools: { maxResultLength: 4 } };

describe('the options of AiModule', () => {
  @Injectable()
  class Options {
    createAiOptions(): AiModuleOptions {
      return { properties: shortResults };
    }
  }

  @Module({ providers: [Options], exports: [Options] })
  class OptionsModule {}

  const aiConfig = registerAs('aiOptions', () => ({ properties: shortResults }));
  const ownNamespace = registerAs('ai', () => shortResults);
  const config = ConfigModule.forRoot({ load: [() => ({ length: 4 })], ignoreEnvFile: true });
  const inject = [ConfigService];
  const useFactory = (configured: ConfigService): AiModuleOptions => ({
    properties: { tools: { maxResultLength: configured.getOrThrow<number>('length') } },
  });

  it.each<[string, () => (DynamicModule | Promise<DynamicModule>)[]]>([
    ['forRoot()', () => [AiModule.forRoot({ properties: shortResults })]],
    ['a factory', () => [AiModule.forRootAsync({ imports: [config], inject, useFactory })]],
    ['a class', () => [AiModule.forRootAsync({ useClass: Options })]],
    ['a provider', () => [AiModule.forRootAsync({ imports: [OptionsModule], useExisting: Options })]],
    ['registerAs()', () => [AiModule.forRootAsync(aiConfig.asProvider())]],
    ['registerAs() beside a ConfigModule', () => [config, AiModule.forRootAsync(aiConfig.asProvider())]],
    [
      'the configuration of a namespace of their own',
      () => [ConfigModule.forRoot({ isGlobal: true, load: [ownNamespace], ignoreEnvFile: true }), AiModule.forRoot()],
    ],
  ])('come from %s', async (_name, imports) => {
    const model = new ScriptedChatModel(callOf('story'));
    const app = await start({ imports: imports(), providers: [StoryTools, { provide: ChatModel, useValue: model }] });
    await app.get(ChatClient).prompt('Tell me a story').call().content();
    expect(model.toolResponses).toEqual([expect.stringMatching(/^Once\n\[Cut here/)]);
  });
});

describe.each<[string, (isGlobal?: boolean) => DynamicModule]>([
  ['forRoot()', (isGlobal) => AiModule.forRoot({ chatModel: new ScriptedChatModel(['Hi']), ...extra(isGlobal) })],
  [
    'forRootAsync()',
    (isGlobal) =>
      AiModule.forRootAsync({ useFactory: () => ({ chatModel: new ScriptedChatModel(['Hi']) }), ...extra(isGlobal) }),
  ],
])('AiModule.%s', (_name, aiModule) => {
  const compile = (imports: NonNullable<ModuleMetadata['imports']>) => Test.createTestingModule({ imports }).compile();

  it.each([undefined, true])('is there for every module when isGlobal is %s', async (isGlobal) => {
    @Module({ providers: [Assistant] })
    class Elsewhere {}
    const module = await compile([aiModule(isGlobal), Elsewhere]);
    expect(await module.get(Assistant).ask()).toBe('Hi');
  });

  it('is there only for modules that import it when isGlobal is false', async () => {
    const shared = aiModule(false);
    @Module({ imports: [shared], providers: [Assistant] })
    class Here {}
    @Module({ providers: [Assistant] })
    class Elsewhere {}
    expect(await (await compile([Here])).get(Assistant).ask()).toBe('Hi');
    await expect(compile([shared, Elsewhere])).rejects.toThrow(/ChatClient/);
  });
});

function extra(isGlobal: boolean | undefined): { isGlobal?: boolean } {
  return isGlobal === undefined ? {} : { isGlobal };
}

describe('AiModule in two modules of an application', () => {
  const twice = () => {
    const models = [new ScriptedChatModel(callOf('story')), new ScriptedChatModel(callOf('story'))] as const;
    const [first, second] = models;
    @Injectable()
    class OtherAssistant extends Assistant {}
    @Module({ imports: [AiModule.forRoot({ chatModel: first })], providers: [StoryTools, Assistant] })
    class One {}
    @Module({
      imports: [AiModule.forRoot({ chatModel: second, properties: shortResults })],
      providers: [OtherAssistant],
    })
    class Two {}
    return { root: { imports: [One, Two] }, models, OtherAssistant };
  };

  it('gives each its own model and properties, and every tool once', async () => {
    const { root, models, OtherAssistant } = twice();
    const app = await start(root);
    const registries = app.get(ToolRegistry, { each: true, strict: false } as { each: true });
    expect(registries.map((registry) => registry.list().map(({ name }) => name))).toEqual([['story'], ['story']]);
    await app.get(Assistant).ask();
    await app.get(OtherAssistant).ask();
    expect(models.map(offeredTools)).toEqual([['story'], ['story']]);
    expect(models.map(({ toolResponses }) => toolResponses[0]!.split('\n')[0])).toEqual([
      'Once upon a time, story 1',
      'Once',
    ]);
  });

  it('says nothing twice', async () => {
    const lines: string[] = [];
    class Recorder extends ConsoleLogger {
      protected override printMessages(messages: unknown[], context = '', level = 'log') {
        // Nest itself names every module that it has made.
        if (level !== 'debug' && context !== 'InstanceLoader') lines.push(`${level} ${context} ${messages.join()}`);
      }
    }
    const app = await NestFactory.createApplicationContext(twice().root, { logger: new Recorder() });
    await app.close();
    expect(lines).toEqual([
      'log NestFactory Starting Nest application...',
      expect.stringMatching(/^log AiModule Tools without a description/),
      expect.stringMatching(/^warn AiModule AiModule\.forRoot\(\) is imported 2 times/),
    ]);
  });
});

describe('two applications of one root module in a process', () => {
  it('share no instances and no conversations, and one does not need the other', async () => {
    const asked: number[] = [];
    const model = new ScriptedChatModel(
      [1, 2, 3].flatMap(() => [
        { toolCalls: [toolCall('story')] },
        ({ messages }) => {
          asked.push(messages.length);
          const last = messages.at(-1)!;
          return last.role === 'tool' ? last.responses[0]!.responseData : '';
        },
      ]),
    );
    @Module({ imports: [AiModule.forRoot({ chatModel: model })], providers: [StoryTools] })
    class AppModule {}
    const ask = (app: INestApplicationContext) => {
      const memory = new MessageChatMemoryAdvisor({ chatMemory: app.get(ChatMemory) });
      const request = app.get(ChatClient).prompt('A story').advisors(memory);
      return request
        .advisors((spec) => spec.param(ChatMemory.CONVERSATION_ID, 'ada'))
        .call()
        .content();
    };
    const first = await NestFactory.createApplicationContext(AppModule, silent);
    const second = await start(AppModule);
    expect(await ask(first)).toBe('Once upon a time, story 1');
    expect(await ask(second)).toBe('Once upon a time, story 1');
    await first.close();
    expect(await ask(second)).toBe('Once upon a time, story 2');
    expect(asked[1]).toBe(asked[0]);
    expect(asked[2]).toBeGreaterThan(asked[0]!);
  });
});

describe('mistakes in the options of AiModule', () => {
  it('are told at once, those of two imports together', async () => {
    const ai = (concurrency: number) =>
      AiModule.forRoot({ chatModel: new ScriptedChatModel([]), properties: { tools: { concurrency } } });
    const root = { module: class AppModule {}, imports: [ai(0), ai(-7)] };
    const started = NestFactory.createApplicationContext(root, { logger: false });
    await expect(started).rejects.toThrow(/is 0[^]*is -7/);
  });

  it('are told of what a factory returns, too', async () => {
    const options = { chatModel: new ScriptedChatModel([]), tools: { concurrency: 2 } };
    const root = { module: class AppModule {}, imports: [AiModule.forRootAsync({ useFactory: () => options })] };
    const started = NestFactory.createApplicationContext(root, { logger: false });
    await expect(started).rejects.toThrow(
      "AiModule has no option 'tools'. Known: chatModel, memory, properties, pluginMetadata, ",
    );
  });
});

describe('an application with mistakes, as Nest starts it by default', () => {
  @Injectable()
  class Mistaken {
    @Tool() find(_names: string[]) {
      return 1;
    }
    @Tool({ name: 'story' }) other() {
      return 2;
    }
  }
  @Injectable()
  class Impatient {
    constructor(registry: ToolRegistry, client: ChatClient) {
      registry.list();
      client.prompt('Hello');
    }
  }
  const root = {
    imports: [AiModule.forRoot({ properties: { tools: { concurrency: 0 } } })],
    providers: [StoryTools, Mistaken, Impatient],
  };

  it.each<[string, () => Promise<unknown>]>([
    ['createApplicationContext()', () => NestFactory.createApplicationContext(root, silent)],
    ['create() and init()', async () => (await NestFactory.create(root, silent)).init()],
    ['create() and listen()', async () => (await NestFactory.create(root, silent)).listen(0, '127.0.0.1')],
    ['createMicroservice() and listen()', async () => (await NestFactory.createMicroservice(root, silent)).listen()],
  ])('is told of all of them by %s, in a rejection, and the process goes on', async (_name, boot) => {
    const ends = [jest.spyOn(process, 'exit'), jest.spyOn(process, 'abort')] as const;
    for (const end of ends) end.mockImplementation(() => undefined as never);
    const error: Error = await boot().then(
      () => new Error('The application started.'),
      (thrown) => thrown as Error,
    );
    expect(ends.map((end) => end.mock.calls)).toEqual([[], []]);
    for (const end of ends) end.mockRestore();
    expect(error.name).toBe('AiBootstrapException');
    expect(error.message).toMatch(/^4 problems:/);
    expect(error.message).toMatch(/ai\.tools\.concurrency is 0/);
    expect(error.message).toMatch(/The tool 'find' \(Mistaken\.find\)/);
    expect(error.message).toMatch(/Multiple tools with the same name \(story\)/);
    expect(error.message).toMatch(/There is no ChatModel/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { LazyModuleLoader } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AiSdkChatModel, type AiSdkLanguageModel, AiSdkModule } from '@nestor-ai/ai-sdk';
import {
  AiModule,
  type AiModuleOptions,
  ChatClient,
  ChatModel,
  ChatModelException,
  getChatClientToken,
  getChatModelToken,
  InjectChatModel,
  ModelRouter,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { SpanKind } from '@opentelemetry/api';
import { bothWays } from '../both-ways.js';
import { Recorder } from '../telemetry/recorder.js';
import { startApplication } from './application.js';

const recorder = Recorder.register();

/** A model that always says the same, with the name of the model and provider for telemetry. */
class Named extends ScriptedChatModel {
  override readonly provider = 'acme';

  constructor(
    override readonly modelName: string,
    script: readonly ScriptEntry[] | (() => string) = () => modelName,
    options = {},
  ) {
    super(script, options);
  }
}

type Options = Parameters<typeof AiSdkModule.forRoot>[0];

async function boot(
  aiSdk: Options,
  {
    properties = {},
    environment = {},
    ...metadata
  }: ModuleMetadata & Pick<AiModuleOptions, 'properties'> & { environment?: object } = {},
) {
  const { imports = [], ...rest } = metadata;
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load: [() => environment] }),
      AiSdkModule.forRoot(aiSdk),
      AiModule.forRoot({ properties: properties as never }),
      ...imports,
    ],
    ...rest,
  }).compile();
  await module.init();
  return module;
}

const problemsOf = (starting: Promise<unknown>): Promise<string> =>
  starting.then(
    () => 'The application started.',
    (error: Error) => error.message,
  );

const models = () => ({ fast: { model: new Named('fast-1') }, smart: { model: new Named('smart-1') } });

describe.each(bothWays)('a request that names a model (%s)', (_how, ask) => {
  const asking = (client: ChatClient, model: string) => ask(client.mutate().defaultOptions({ model }).build());

  it('is answered by the model of that name, and the span names the model that was called', async () => {
    const module = await boot({ model: new Named('default-1'), models: models() });
    const client = module.get(ChatClient);
    expect(await ask(client)).toBe('default-1');
    expect(await asking(client, 'fast')).toBe('fast-1');
    expect(await asking(client, 'smart')).toBe('smart-1');
    const asked = recorder.spans.filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(asked.map(({ attributes }) => attributes['gen_ai.request.model'])).toEqual([
      'default-1',
      'fast-1',
      'smart-1',
    ]);
  });

  it('has the default options of that model below its own, and not those of the model of the client', async () => {
    const fast = new Named('fast-1', undefined, { temperature: 0.1, topK: 3 });
    const module = await boot({
      model: new Named('default-1', undefined, { topP: 0.5 }),
      models: { fast: { model: fast } },
    });
    const client = module.get(ChatClient).mutate().defaultOptions({ model: 'fast', temperature: 0.9 }).build();
    expect(await ask(client)).toBe('fast-1');
    const { temperature, topK, topP, model } = fast.lastPrompt!.options!;
    expect({ temperature, topK, topP, model }).toEqual({
      temperature: 0.9,
      topK: 3,
      topP: undefined,
      model: undefined,
    });
  });

  it('goes to the model of the client if that takes ids itself', async () => {
    const model = new Named('default-1');
    const module = await boot({ model, models: models() });
    expect(await asking(module.get(ChatClient), 'default-2')).toBe('default-1');
    expect(model.lastPrompt?.options?.model).toBe('default-2');
  });

  it('fails with the known names if there is no such model', async () => {
    const languageModel = { specificationVersion: 'v3', provider: 'acme', modelId: 'a' } as AiSdkLanguageModel;
    const module = await boot({ model: languageModel, models: models() });
    await expect(asking(module.get(ChatClient), 'fsat')).rejects.toThrow(
      "There is no model 'fsat'. Known: fast, smart.",
    );
  });

  it('is answered by a named client with the model that the property names', async () => {
    const module = await boot(
      { model: new Named('default-1'), models: models() },
      {
        properties: { clients: { support: { model: 'fast' } } },
        imports: [AiModule.forFeature([{ name: 'support' }])],
      },
    );
    const support = module.get<ChatClient>(getChatClientToken('support'));
    expect(await ask(support)).toBe('fast-1');
    expect(await asking(support, 'smart')).toBe('smart-1');
  });

  it('is answered by the next fallback when the model and its retries fail, down the list', async () => {
    const failing = () => ({ error: new ChatModelException('down', { httpStatus: 503 }) });
    const fast = new Named('fast-1', [failing()]);
    const slow = new Named('slow-1', [failing()]);
    const module = await boot(
      {
        model: new Named('default-1'),
        models: { fast: { model: fast }, slow: { model: slow }, smart: models().smart },
      },
      { properties: { models: { fast: { fallbacks: ['slow'] }, slow: { fallbacks: ['smart'] } } } },
    );
    expect(await asking(module.get(ChatClient), 'fast')).toBe('smart-1');
    fast.assertDone();
    slow.assertDone();
  });

  it('without a name falls back as ai.model.fallbacks says', async () => {
    const model = new Named('default-1', [{ error: new Error('down') }]);
    const module = await boot({ model, models: models() }, { environment: { AI_MODEL_FALLBACKS: 'fast,smart' } });
    expect(await ask(module.get(ChatClient))).toBe('fast-1');
  });
});

it('a model is injected by its name, from forRoot and from forFeature', async () => {
  @Injectable()
  class Uses {
    constructor(
      @InjectChatModel() readonly standard: ChatModel,
      @InjectChatModel('fast') readonly fast: ChatModel,
      @InjectChatModel('vision') readonly vision: ChatModel,
      readonly chatClient: ChatClient,
    ) {}
  }
  const vision = { name: 'vision', model: new Named('vision-1') };
  const module = await boot(
    { model: new Named('default-1'), models: models() },
    { imports: [AiSdkModule.forFeature(['smart', vision])], providers: [Uses] },
  );
  const uses = module.get(Uses);
  expect([uses.standard, uses.fast, uses.vision].map(({ modelName }) => modelName)).toEqual([
    'default-1',
    'fast-1',
    'vision-1',
  ]);
  expect(await uses.chatClient.prompt('Hi').options({ model: 'vision' }).call().content()).toBe('vision-1');
});

it.each([
  [
    'nested',
    { ai: { models: { fast: { provider: 'openai-compatible', name: 'f1', baseUrl: 'http://localhost:1/v1' } } } },
  ],
  [
    'flat',
    {
      'ai.models.fast.provider': 'openai-compatible',
      'ai.models.fast.name': 'f1',
      'ai.models.fast.base-url': 'http://localhost:1/v1',
    },
  ],
  [
    'as environment variables',
    {
      AI_MODELS_FAST_PROVIDER: 'openai-compatible',
      AI_MODELS_FAST_NAME: 'f1',
      AI_MODELS_FAST_BASE_URL: 'http://localhost:1/v1',
    },
  ],
])('a model is described by properties, %s', async (_how, environment) => {
  const module = await boot(
    { model: new Named('default-1') },
    { environment, imports: [AiSdkModule.forFeature(['fast'])] },
  );
  const fast = module.get<AiSdkChatModel>(getChatModelToken('fast'));
  expect(fast).toBeInstanceOf(AiSdkChatModel);
  expect(fast.modelName).toBe('f1');
});

it('an application may provide its own router', async () => {
  @Injectable()
  class Tenants extends ModelRouter {
    readonly #cheap = new Named('cheap-1');

    resolve(name: string, current: ChatModel) {
      return Promise.resolve(name === 'cheap' && current.modelName !== 'cheap-1' ? this.#cheap : undefined);
    }
  }
  const { client } = await startApplication({}, ['by itself'], {
    providers: [{ provide: ModelRouter, useClass: Tenants }],
  } as never);
  expect(await client.prompt('Hi').options({ model: 'cheap' }).call().content()).toBe('cheap-1');
  expect(await client.prompt('Hi').options({ model: 'other' }).call().content()).toBe('by itself');
});

it('a router may come with a module that is loaded later', async () => {
  class Later extends ModelRouter {
    resolve(name: string) {
      return name === 'cheap' ? new Named('cheap-1') : undefined;
    }
  }
  @Module({ providers: [{ provide: ModelRouter, useClass: Later }] })
  class LaterModule {}
  const { app, client } = await startApplication({}, ['by itself']);
  await app.get(LazyModuleLoader).load(() => LaterModule);
  expect(await client.prompt('Hi').options({ model: 'cheap' }).call().content()).toBe('cheap-1');
});

it('all mistakes with models are in one error', async () => {
  const message = await problemsOf(
    boot(
      { model: new Named('default-1'), models: { ...models(), bad: { provider: 'nobody' as never } } },
      {
        environment: {
          ai: {
            model: { fallbacks: 'fsat' },
            models: {
              fast: { fallbacks: 'smart', temprature: 1 },
              smart: { fallbacks: 'fast' },
              unnamed: { provider: 'openai' },
              missing: { provider: 'cohere', name: 'command' },
            },
            clients: { support: { model: 'nothing' } },
          },
        },
        imports: [
          AiModule.forFeature([{ name: 'support' }]),
          AiSdkModule.forFeature(['ghost', { name: 'fast', model: new Named('f') }]),
        ],
      },
    ),
  );
  for (const problem of [
    "The property ai.model.fallbacks is 'fsat'. There is no model 'fsat'.",
    "The property ai.clients.support.model is 'nothing'. There is no model 'nothing'.",
    'The property ai.models.fast.temprature is not known.',
    'The property ai.models.unnamed.name is not set. Set AI_MODELS_UNNAMED_NAME',
    'The package @ai-sdk/cohere is not installed. Run: npm install @ai-sdk/cohere',
    'ai.models.bad.provider',
    "names the model 'ghost', which is not configured",
    "Two models are named 'fast'.",
    'The fallbacks of models go in a circle: fast → smart → fast.',
  ]) {
    expect(message).toContain(problem);
  }
});

it.each([
  ['an unknown key', { ai: { model: { nmae: 'x', foo: 1 } } }, {}, 'The property ai.model.foo is not known.'],
  ['an unknown option', {}, { nmae: 'x' }, "AiSdkModule has no option 'nmae'. Known: provider, name,"],
  [
    'an unknown option of a model',
    {},
    { models: { fast: { temperature: 1 } } },
    "The model 'fast' has no option 'temperature'.",
  ],
  [
    'names that share variables',
    {},
    { models: { 'my-fast': models().fast, myFast: models().smart } },
    'have the same environment variables AI_MODELS_MY_FAST_*',
  ],
])('%s stops the bootstrap', async (_what, environment, options, problem) => {
  expect(await problemsOf(boot({ model: new Named('a'), ...options } as Options, { environment }))).toContain(problem);
});

it('unknown environment variables and limits for unknown models do not', async () => {
  const environment = { AI_MODEL_FOO: '1', AI_MODELS_OTHER_TIMEOUT: '2s' };
  expect(await problemsOf(boot({ model: new Named('a') }, { environment }))).toBe('The application started.');
});

it('the time of a model is limited as its name says', async () => {
  const slow = new Named('slow-1', [{ text: 'late', delay: 60_000 }]);
  const module = await boot(
    { model: new Named('default-1'), models: { slow: { model: slow } } },
    { environment: { AI_MODELS_SLOW_TIMEOUT: '20ms' } },
  );
  const client = module.get(ChatClient);
  await expect(client.prompt('Hi').options({ model: 'slow' }).call().content()).rejects.toThrow('20 ms');
  expect(await client.prompt('Hi').call().content()).toBe('default-1');
});

it('forRootAsync takes its options from a factory', async () => {
  const module = await Test.createTestingModule({
    imports: [
      AiSdkModule.forRootAsync({ useFactory: () => ({ model: new Named('default-1'), models: models() }) }),
      AiModule.forRoot(),
    ],
  }).compile();
  await module.init();
  expect(await module.get(ChatClient).prompt('Hi').options({ model: 'fast' }).call().content()).toBe('fast-1');
});

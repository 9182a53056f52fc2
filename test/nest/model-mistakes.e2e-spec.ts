import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type DynamicModule, Logger } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { Test, type TestingModule } from '@nestjs/testing';
import { type AiSdkLanguageModel, AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';

const SECRET = 's3cret';
const OPENAI = { AI_MODEL_PROVIDER: 'openai', AI_MODEL_NAME: 'gpt-a', AI_MODEL_API_KEY: SECRET };
const IN_CODE = { provider: 'openai', name: 'gpt-a', apiKey: SECRET };
const scripted = () => new ScriptedChatModel(() => 'Hello');
/** A model of an older provider package. */
const ofVersion2 = { specificationVersion: 'v2', provider: 'acme', modelId: 'a' } as unknown as AiSdkLanguageModel;

interface Mistake {
  environment?: Record<string, unknown>;
  options?: unknown;
  module?: () => ReturnType<typeof AiSdkModule.forRoot>;
}

async function boot({ environment = {}, options = {}, module }: Mistake): Promise<TestingModule> {
  const built = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load: [() => environment] }),
      module ? module() : AiSdkModule.forRoot(options as Parameters<typeof AiSdkModule.forRoot>[0]),
      AiModule.forRoot(),
    ],
  }).compile();
  return built.init();
}

/** The error of the start, with all that a log would show of it. */
async function failureOf(mistake: Mistake): Promise<{ message: string; shown: string }> {
  const error = await boot(mistake).then(
    () => new Error('The application started.'),
    (reason: unknown) => reason as Error,
  );
  return { message: error.message, shown: inspect(error, { depth: 10, showHidden: true }) };
}

const asyncOf = (useFactory: () => never): Mistake => ({ module: () => AiSdkModule.forRootAsync({ useFactory }) });

describe('a mistake in the configuration of models stops the bootstrap and names the remedy', () => {
  const mistakes: Record<string, [Mistake, string]> = {
    'a typo in a variable': [
      { environment: { AI_MODEL_PROVIDER: 'openai', AI_MODEL_NMAE: 'gpt-a' } },
      'The property ai.model.name is not set. Set AI_MODEL_NAME',
    ],
    'a typo in a flat key of a model': [
      { environment: { 'ai.models.fast.providr': 'openai' }, options: { model: scripted() } },
      'The property ai.models.fast.providr is not known. Did you mean ai.models.fast.provider?',
    ],
    'two spellings of a name': [
      { environment: { 'ai.models.my_fast.name': 'b' }, options: { ...IN_CODE, models: { 'my-fast': {} } } },
      "The models 'my-fast' and 'my_fast' have the same environment variables AI_MODELS_MY_FAST_*.",
    ],
    'an empty name': [
      { options: { model: scripted(), models: { ' ': { model: scripted() } } } },
      'A model of AiSdkModule has an empty name.',
    ],
    'a fallback to itself': [
      {
        environment: { AI_MODELS_FAST_FALLBACKS: 'fast' },
        options: { model: scripted(), models: { fast: { model: scripted() } } },
      },
      'The fallbacks of models go in a circle: fast → fast.',
    ],
    'a text in place of a model': [
      { options: { model: 'openai:gpt-a' } },
      'For a model by its name, use the options provider and name.',
    ],
    'the function of a provider package in place of a model': [
      { options: { model: () => ofVersion2 } },
      "has to be a model, such as anthropic('claude-sonnet-4-5'), and is a function.",
    ],
    'a text in place of the options of a model': [
      { options: { model: scripted(), models: { fast: 'gpt-a' } } },
      "The model 'fast' of AiSdkModule is no object.",
    ],
    'a model of an older specification': [
      { options: { model: scripted(), models: { fast: { model: ofVersion2 } } } },
      "The model 'fast' cannot be used. AiSdkChatModel needs a language model of version 3 or 4",
    ],
    'an address without a protocol': [
      { environment: { ...OPENAI, AI_MODEL_BASE_URL: 'localhost:11434/v1' } },
      'The property ai.model.base-url is not an address. Set AI_MODEL_BASE_URL',
    ],
    'an address with a password': [
      { environment: { ...OPENAI, AI_MODEL_BASE_URL: `http://user:${SECRET}@localhost:11434/v1` } },
      'The property ai.model.base-url contains a user name or a password',
    ],
    'a proxy whose address has no valid port': [
      { environment: { ...OPENAI, AI_MODEL_PROXY: `http://user:${SECRET}@proxy:99999` } },
      'The property ai.model.proxy has a value that is not allowed.',
    ],
    'headers of a model with a line break': [
      { environment: { AI_MODELS_FAST_HEADERS: `x-key=${SECRET}\nx-other: 1` }, options: { model: scripted() } },
      'The property ai.models.fast.headers has a value that is not allowed.',
    ],
    'a shortened key': [
      { environment: { ...OPENAI, AI_MODEL_API_KEY: `${SECRET}…` } },
      'The property ai.model.api-key has a character that HTTP headers cannot carry.',
    ],
    'a factory that returns nothing': [
      asyncOf(() => undefined as never),
      'The factory of AiSdkModule.forRootAsync() returned no options.',
    ],
    'a factory that returns a text': [
      asyncOf(() => 'openai' as never),
      'The factory of AiSdkModule.forRootAsync() returned no options.',
    ],
    'a factory that throws': [
      asyncOf(() => {
        throw new Error('The vault is closed.');
      }),
      'The vault is closed.',
    ],
  };

  it.each(Object.entries(mistakes))('%s', async (_what, [mistake, problem]) => {
    const { message, shown } = await failureOf(mistake);
    expect(message).toContain(problem);
    expect(shown).not.toContain(SECRET);
  });
});

describe('variables that are set, in an application without ConfigModule', () => {
  const start = (options: Parameters<typeof AiSdkModule.forRoot>[0], imports: DynamicModule[] = []) =>
    Test.createTestingModule({ imports: [...imports, AiSdkModule.forRoot(options), AiModule.forRoot()] })
      .compile()
      .then((built) => built.init());
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
    Object.assign(process.env, { ...OPENAI, AI_TOOLS_TIMEOUT: '5s' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of [...Object.keys(OPENAI), 'AI_TOOLS_TIMEOUT']) delete process.env[name];
  });

  it('are named by the error, which says that they were not read', async () => {
    await expect(start({})).rejects.toThrow(
      /AI_MODEL_PROVIDER is set, but was not read: AiSdkModule sees no ConfigModule.*ConfigModule\.forRoot\(\{ isGlobal: true \}\)/,
    );
  });

  it('are named by warnings', async () => {
    const app = await start({ provider: 'openai', name: 'gpt-a' });
    expect(warnings).toEqual([
      expect.stringMatching(/openai needs an API key.*AI_MODEL_API_KEY is set, but was not read/),
      expect.stringMatching(/^AI_MODEL_PROVIDER, .*AI_TOOLS_TIMEOUT of the environment or \.env have no effect/),
    ]);
    expect(warnings.join()).not.toContain(SECRET);
    await app.close();
  });

  it('are read with it', async () => {
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true });
    const app = await start({}, [config]);
    expect(warnings).toEqual([]);
    await app.close();
  });
});

describe('a variable that is misspelled', () => {
  it.each([
    ['AI_TOOLS_TIMEOT', 'AI_TOOLS_TIMEOUT'],
    ['AI_MODEL_APIKEY', 'AI_MODEL_API_KEY'],
    ['AI_MODELS_MY_FAST_PROVIDR', 'AI_MODELS_MY_FAST_PROVIDER'],
    ['AI_TOOLS_OVERRIDES_FIND_ORDER_ENABLD', 'AI_TOOLS_OVERRIDES_FIND_ORDER_ENABLED'],
    ['AI_CLIENTS_SUPPORT_DEFAULT_TOLS', 'AI_CLIENTS_SUPPORT_DEFAULT_TOOLS'],
  ])('%s is warned about, with the name that was meant', async (variable, meant) => {
    const warnings: unknown[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(text));
    const known = { AI_MODELS_FAST_NAME: 'gpt-b', AI_TOOLS_OVERRIDES_FIND_ORDER_TIMEOUT: '5s' };
    const environment = { ...OPENAI, ...known, AI_GATEWAY_URL: 'x', AI_MODEL_ID: 'x', [variable]: SECRET };
    const app = await boot({ environment, options: { models: { 'my-fast': IN_CODE } } });
    jest.restoreAllMocks();
    expect(warnings.filter((text) => String(text).includes('environment variable'))).toEqual([
      `The environment variable ${variable} is not known. Did you mean ${meant}?`,
    ]);
    await app.close();
  });
});

describe('the option model of a request', () => {
  const ask = async (model: string, mistake: Mistake) =>
    (await boot(mistake)).get(ChatClient).prompt('Hi').options({ model }).call().content();

  it.each(['', ' '])('cannot be %j', async (model) => {
    await expect(ask(model, { environment: OPENAI })).rejects.toThrow('The option model of a request is empty.');
  });

  it.each(['constructor', '__proto__', 'gpt-4.1', 'a/b', '模型'])('can be a model named %s', async (model) => {
    const models = Object.fromEntries([[model, { model: new ScriptedChatModel(() => 'It is me.') }]]);
    expect(await ask(model, { options: { model: scripted(), models } })).toBe('It is me.');
  });

  it('fails with the remedy if nothing has the name', async () => {
    const model = { ...ofVersion2, specificationVersion: 'v3' };
    await expect(ask('constructor', { options: { model } })).rejects.toThrow(
      "There is no model 'constructor'. No model has a name. Add it as ai.models.constructor,",
    );
  });
});

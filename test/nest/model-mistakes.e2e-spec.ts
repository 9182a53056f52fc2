import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigModule } from '@nestjs/config';
import { Test, type TestingModule } from '@nestjs/testing';
import { type AiSdkLanguageModel, AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/core/testing';

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

import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import { ConfiguredModels } from './configured-models.js';
import { ConfiguredProvider } from './configured-provider.js';

const OPENAI = { provider: 'openai', apiKey: 's3cret', baseUrl: 'http://localhost:1/v1' } as const;
const scripted = () => new ScriptedChatModel([]);

async function configured() {
  const models = new ConfiguredModels(OPENAI);
  const provider = await ConfiguredProvider.load(OPENAI);
  return { models, current: models.created(provider.chatModel('gpt-a', { temperature: 0.5 }), provider) };
}

describe('a name of a model', () => {
  it('is first one of the configured names, also where it looks like a provider and an id', async () => {
    const { models, current } = await configured();
    for (const name of ['fast', 'openai:gpt-b', 'constructor']) {
      const own = models.add(name, scripted(), { isInCode: true });
      expect(await models.resolve(name, current)).toBe(own);
    }
  });

  it('is then a provider and an id, whose model is made once', async () => {
    const { models } = await configured();
    const made = await models.resolve('openai:gpt-b:2', scripted());
    expect(made?.modelName).toBe('gpt-b:2');
    expect(await models.resolve('openai:gpt-b:2', scripted())).toBe(made);
  });

  it('is then another id at the provider of the model that would be called, with its options', async () => {
    const { models, current } = await configured();
    for (const id of ['gpt-c', 'llama3:8b', 'constructor', 'openai:']) {
      const other = await models.resolve(id, current);
      expect(other).toBeInstanceOf(AiSdkChatModel);
      expect([other!.modelName, other!.defaultOptions]).toEqual([id, { temperature: 0.5 }]);
    }
    expect(await models.resolve('gpt-a', current)).toBe(current);
  });

  it('is left to a model that takes ids itself', async () => {
    const { models } = await configured();
    expect(await models.resolve('anything', scripted())).toBeUndefined();
  });

  it.each(['', '  ', 5 as never])('cannot be %j', async (name) => {
    const { models, current } = await configured();
    expect(() => models.resolve(name, current)).toThrow(/^The option model of a request is (empty|a number)\. Set it/);
  });

  it('fails with the package to install, and is tried again', async () => {
    const { models, current } = await configured();
    for (let time = 0; time < 2; time++) {
      await expect(models.resolve('cohere:command', current)).rejects.toThrow('Run: npm install @ai-sdk/cohere');
    }
  });
});

describe('the problems of names', () => {
  it('are two models from code with one name, and names with the same variables', () => {
    const models = new ConfiguredModels({});
    for (const name of ['my-fast', 'my-fast', 'myFast']) models.add(name, scripted(), { isInCode: true });
    expect(models.check()).toEqual([
      "Two models are named 'my-fast'. Give each its own name.",
      "The models 'my-fast' and 'myFast' have the same environment variables AI_MODELS_MY_FAST_*. Rename one of them.",
    ]);
  });

  it('are names that nothing has, when the configuration uses them', () => {
    const models = new ConfiguredModels({});
    models.add('fast', scripted(), { isInCode: true });
    expect(() => models.verify('fast')).not.toThrow();
    expect(() => models.verify('openai:gpt-b')).not.toThrow();
    expect(() => models.verify('fsat')).toThrow("There is no model 'fsat'. Known: fast.");
  });
});

import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { type ChatModel, getChatModelToken } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AiSdkModule } from './ai-sdk.module.js';
import { CONFIGURED_MODELS, type ConfiguredModels } from './configured-models.js';

const model = new ScriptedChatModel([]);
const compile = (features: Parameters<typeof AiSdkModule.forFeature>[0]) =>
  Test.createTestingModule({
    imports: [AiSdkModule.forRoot({ model: new ScriptedChatModel([]) }), AiSdkModule.forFeature(features)],
  }).compile();

describe('AiSdkModule.forFeature()', () => {
  it('provides its own models, which requests of the whole application can name', async () => {
    const module = await compile([{ name: 'vision', model }]);
    expect(module.get<ChatModel>(getChatModelToken('vision'))).toBe(model);
    expect(module.get<ConfiguredModels>(CONFIGURED_MODELS).get('vision')).toBe(model);
  });

  it('needs no list for a single one', async () => {
    const module = await compile({ name: 'vision', model });
    expect(module.get<ChatModel>(getChatModelToken('vision'))).toBe(model);
    expect(AiSdkModule.forFeature('fast').exports).toEqual([getChatModelToken('fast')]);
  });

  it('takes the name of the model at its provider as modelName', async () => {
    const module = await compile([{ name: 'vision', provider: 'openai', apiKey: 'test', modelName: 'gpt-a' }]);
    expect(module.get<ChatModel>(getChatModelToken('vision')).modelName).toBe('gpt-a');
  });

  it.each(['ghost', 'constructor'])('reports a name without a model: %s', async (name) => {
    const module = await compile([name]);
    const problem = `AiSdkModule.forFeature() names the model '${name}', which is not configured.`;
    expect(module.get<ConfiguredModels>(CONFIGURED_MODELS).check().join()).toContain(problem);
    const unavailable = module.get<ChatModel>(getChatModelToken(name));
    expect(() => unavailable.verify()).toThrow(problem);
  });

  it('names the environment variables of a model as they are read', async () => {
    const module = await compile([{ name: 'myFast', provider: 'openai', apiKey: 'test' }]);
    expect(module.get<ConfiguredModels>(CONFIGURED_MODELS).check().join()).toContain('Set AI_MODELS_MY_FAST_NAME, or');
  });

  it.each([undefined, '', ' ', {}, { model }])('throws for a model without a name: %p', (nameless) => {
    expect(() => AiSdkModule.forFeature([nameless as never])).toThrow(
      'AiSdkModule.forFeature() got a model without a name.',
    );
  });
});

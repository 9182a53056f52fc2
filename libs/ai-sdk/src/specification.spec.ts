import { describe, expect, it } from '@jest/globals';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { Prompt } from '@nestor-ai/core';
import type { LanguageModelV4, LanguageModelV4CallOptions } from 'ai-sdk-provider-v4';
import { AiSdkChatModel } from './ai-sdk-chat-model.js';
import type { AiSdkLanguageModel } from './language-model.js';
import type { CallOptions } from './specification.js';

/*
 * The types are checked by `npm run typecheck`. The parts of the specification that differ between
 * the versions, files and the content of tool results, are told apart at run time and left out of
 * the comparison.
 */
type Comparable = Omit<CallOptions, 'prompt' | 'responseFormat' | 'providerOptions' | 'tools'>;

const SENT: Comparable = { temperature: 0.5, maxOutputTokens: 10, stopSequences: ['END'], seed: 7 };

const received: object[] = [];

const v3 = {
  specificationVersion: 'v3',
  provider: 'fake',
  modelId: 'fake-3',
  supportedUrls: {},
  doGenerate: async (options: object) => {
    received.push(options);
    return {
      content: [{ type: 'text', text: 'Hello' }],
      finishReason: { unified: 'stop', raw: 'end' },
      usage: {
        inputTokens: { total: 2, noCache: 2, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [],
    };
  },
  doStream: (): Promise<never> => Promise.reject(new Error('This model does not stream.')),
} satisfies LanguageModelV3;

const v4 = { ...v3, specificationVersion: 'v4', modelId: 'fake-4' } satisfies LanguageModelV4;

describe('the specification of language models', () => {
  const accept = (model: LanguageModelV3 | LanguageModelV4): AiSdkLanguageModel => model as AiSdkLanguageModel;

  it.each([
    ['version 3', accept(v3)],
    ['version 4', accept(v4)],
  ])('is met by models of %s', async (_version, model) => {
    const options = { temperature: 0.5, maxTokens: 10, stopSequences: ['END'], seed: 7 };
    received.length = 0;
    const response = await new AiSdkChatModel(model).call(new Prompt('Hi', options));
    expect(response.text).toBe('Hello');
    expect(response.metadata.usage).toMatchObject({ promptTokens: 2, completionTokens: 1 });
    const asV3: Partial<LanguageModelV3CallOptions> = SENT;
    const asV4: Partial<LanguageModelV4CallOptions> = SENT;
    expect(received).toMatchObject([{ ...asV3, ...asV4 }]);
  });

  it.each([
    [{ specificationVersion: 'v2' }, /got version v2/],
    [{}, /got something else/],
    [undefined, /got something else/],
  ])('is not met by %j', (model, message) => {
    expect(() => new AiSdkChatModel(model as never)).toThrow(message);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { LanguageModelV4, LanguageModelV4CallOptions } from 'ai-sdk-provider-v4';
import { AiSdkChatModel } from './ai-sdk-chat-model.js';
import type { AiSdkLanguageModel, CallOptions } from './specification.js';

/*
 * The types are checked by `npm run typecheck`. The parts of the specification that differ between the versions,
 * files and the content of tool results, are told apart at run time and left out of the comparison.
 */
type Comparable = Omit<CallOptions, 'prompt' | 'responseFormat' | 'providerOptions' | 'tools'>;

describe('the specification of language models', () => {
  it('is met by models of version 3 and of version 4', () => {
    const accept = (model: LanguageModelV3 | LanguageModelV4): AiSdkLanguageModel => model as AiSdkLanguageModel;
    const v3 = (options: Comparable): Partial<LanguageModelV3CallOptions> => options;
    const v4 = (options: Comparable): Partial<LanguageModelV4CallOptions> => options;
    expect([accept, v3, v4]).toHaveLength(3);
  });

  it.each([
    [{ specificationVersion: 'v2' }, /got version v2/],
    [{}, /got something else/],
    [undefined, /got something else/],
  ])('is not met by %j', (model, message) => {
    expect(() => new AiSdkChatModel(model as never)).toThrow(message);
  });
});

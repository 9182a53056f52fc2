import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Prompt } from '@nestor-ai/core';
import { lastValueFrom } from 'rxjs';
import { FakeLanguageModel } from '../../../../test/fake-language-model.js';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import type { SpecificationWarning } from '../specification.js';

const logged: unknown[] = [];
beforeEach(() => {
  logged.length = 0;
  const warn = (line: unknown): void => void logged.push(line);
  Logger.overrideLogger({ log: warn, error: warn, warn });
});
afterEach(() => Logger.overrideLogger(false));

const modelWith = (...warnings: SpecificationWarning[]): AiSdkChatModel =>
  new AiSdkChatModel(new FakeLanguageModel([{ type: 'text', text: 'Hi' }]).with({ warnings }));

describe('the warnings of a provider', () => {
  it.each<[SpecificationWarning, string]>([
    [
      { type: 'unsupported', feature: 'seed', details: 'The prompt was 4711' },
      "'seed' has no effect on the model 'fake-1' of fake, which does not support it. Leave it out, or use a model that supports it.",
    ],
    [
      { type: 'compatibility', feature: 'responseFormat' },
      "'responseFormat' is used in a compatibility mode with the model 'fake-1' of fake, which may give worse answers.",
    ],
    [
      { type: 'deprecated', setting: 'user', message: 'The prompt was 4711' },
      "'user' is deprecated for the model 'fake-1' of fake. Use its replacement.",
    ],
    [
      { type: 'other', message: 'The prompt was 4711' },
      "The provider warns about a request to the model 'fake-1' of fake.",
    ],
    [
      { type: 'unsupported', feature: 'the prompt\nwas 4711' },
      "The provider warns about a request to the model 'fake-1' of fake.",
    ],
  ])('name the feature and the remedy in the log, and nothing of the request: %j', async (warning, line) => {
    await modelWith(warning).call(new Prompt('Hi'));
    expect(logged).toEqual([`${line} For details, see the warnings in response.metadata.`]);
  });

  it('are logged once for each model, with calls and streams', async () => {
    const seed = { type: 'unsupported', feature: 'seed' };
    const topK = { type: 'unsupported', feature: 'topK' };
    const model = modelWith(seed, topK, seed);
    await model.call(new Prompt('Hi'));
    await lastValueFrom(model.stream(new Prompt('Hi')));
    expect(logged).toHaveLength(2);
    await lastValueFrom(modelWith(seed).stream(new Prompt('Hi')));
    expect(logged).toHaveLength(3);
  });
});

import { describe, expect, it, jest } from '@jest/globals';
import { loadProvider } from './load-provider.js';
import { factsOf, isModelProvider, MODEL_PROVIDERS } from './provider-table.js';

// Packages that are not installed here, as they would be if their installation was broken.
jest.unstable_mockModule(
  '@ai-sdk/perplexity',
  () => {
    throw new SyntaxError('Unexpected token.');
  },
  { virtual: true } as never,
);
jest.unstable_mockModule(
  '@ai-sdk/fireworks',
  () => {
    throw Object.assign(new Error("Cannot find package 'left-pad'."), { code: 'ERR_MODULE_NOT_FOUND' });
  },
  { virtual: true } as never,
);

describe('the package of a provider', () => {
  it.each(['openai', 'anthropic', 'openai-compatible', 'google', 'mistral', 'amazon-bedrock', 'ollama'] as const)(
    'that is installed makes models: %s',
    async (provider) => {
      const create = await loadProvider(provider);
      const models = create({ ...factsOf(provider).settings, apiKey: 'test', baseURL: 'http://localhost:1' });
      expect((models.chat ?? models)('some-model').modelId).toBe('some-model');
    },
  );

  it('that is not installed is named, with the command that installs it', async () => {
    await expect(loadProvider('cohere')).rejects.toThrow(
      'The package @ai-sdk/cohere is not installed. Run: npm install @ai-sdk/cohere',
    );
  });

  it.each([
    ['perplexity', 'Unexpected token.'],
    ['fireworks', "Cannot find package 'left-pad'."],
  ] as const)('that fails when it is loaded is named, with the reason: %s', async (provider, reason) => {
    await expect(loadProvider(provider)).rejects.toThrow(
      `The package @ai-sdk/${provider} is installed, but fails when it is loaded: ${reason}`,
    );
  });
});

describe('the table of providers', () => {
  it('has a package for each, and nothing that objects inherit', () => {
    for (const provider of MODEL_PROVIDERS) expect(factsOf(provider).packageName).toMatch(/^[@a-z0-9/-]+$/);
    expect(['constructor', '__proto__', ''].some(isModelProvider)).toBe(false);
  });
});

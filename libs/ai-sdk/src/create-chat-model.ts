import {
  type ChatModel,
  type ChatOptions,
  choiceProperty,
  type PropertySource,
  readProperties,
  type ResolvedProperties,
  textProperty,
} from '@nestor-ai/core';
import { AiSdkChatModel } from './ai-sdk-chat-model.js';
import type { AiSdkLanguageModel } from './specification.js';

/** The providers that properties can choose. Any other AI SDK provider works through `AiSdkChatModel`. */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'openai-compatible'] as const;

/** One of {@link MODEL_PROVIDERS}. */
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

const MODEL_PROPERTY_TREE = {
  provider: choiceProperty(undefined, MODEL_PROVIDERS),
  name: textProperty(),
  baseUrl: textProperty(),
  apiKey: textProperty(),
};

/** The properties `ai.model.*`: provider, name, base URL and API key. */
export type AiModelProperties = ResolvedProperties<typeof MODEL_PROPERTY_TREE>;

/**
 * Reads `ai.model.*`.
 *
 * @param options values given in code, under the configuration
 * @param source the configuration, such as a `ConfigService`
 */
export function readModelProperties(
  options: Partial<AiModelProperties> | undefined,
  source: PropertySource | undefined,
): { readonly properties: AiModelProperties; readonly problems: readonly string[] } {
  return readProperties(MODEL_PROPERTY_TREE, 'ai.model', options, source);
}

type Factory = (settings: Record<string, unknown>) => {
  (name: string): AiSdkLanguageModel;
  chat?: (name: string) => AiSdkLanguageModel;
};

/**
 * Makes the model that the properties describe. The provider's package is loaded only when it is chosen.
 *
 * @throws Error saying what is missing: a property, or the package to install
 */
export async function createChatModel(
  properties: Partial<AiModelProperties>,
  defaultOptions: ChatOptions = {},
): Promise<ChatModel> {
  const { provider, name, baseUrl, apiKey } = properties;
  if (!provider) throw new Error(`The property ai.model.provider is not set. Allowed: ${MODEL_PROVIDERS.join(', ')}.`);
  if (!name) throw new Error(`The property ai.model.name is not set: which model of ${provider} is to be used?`);
  if (provider === 'openai-compatible' && !baseUrl) {
    throw new Error(
      'The property ai.model.base-url is not set: openai-compatible needs one, such as http://localhost:11434/v1.',
    );
  }
  const settings = { ...(baseUrl && { baseURL: baseUrl }), ...(apiKey && { apiKey }) };
  return new AiSdkChatModel(await languageModel(provider, name, settings), defaultOptions);
}

async function languageModel(
  provider: ModelProvider,
  name: string,
  settings: Record<string, unknown>,
): Promise<AiSdkLanguageModel> {
  switch (provider) {
    case 'openai': {
      const create = await load('@ai-sdk/openai', 'createOpenAI', () => import('@ai-sdk/openai'));
      // Chat Completions, since gateways that speak OpenAI's protocol rarely have the Responses API.
      return create(settings).chat!(name);
    }
    case 'anthropic': {
      const create = await load('@ai-sdk/anthropic', 'createAnthropic', () => import('@ai-sdk/anthropic'));
      return create(settings)(name);
    }
    case 'openai-compatible': {
      const create = await load(
        '@ai-sdk/openai-compatible',
        'createOpenAICompatible',
        () => import('@ai-sdk/openai-compatible'),
      );
      return create({ ...settings, name: provider, includeUsage: true })(name);
    }
  }
}

async function load(packageName: string, factory: string, importPackage: () => Promise<unknown>): Promise<Factory> {
  try {
    return ((await importPackage()) as Record<string, Factory>)[factory]!;
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(`The package ${packageName} is not installed. Run: npm install ${packageName}`, { cause });
  }
}

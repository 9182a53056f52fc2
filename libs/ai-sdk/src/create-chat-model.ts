import {
  type ChatModel,
  type ChatOptions,
  choiceProperty,
  type EmbeddingModel,
  MODEL_TIMEOUT_PROPERTIES,
  type PropertySource,
  readProperties,
  type ResolvedProperties,
  textProperty,
} from '@nestor-ai/core';
import { AiSdkChatModel } from './ai-sdk-chat-model.js';
import { AiSdkEmbeddingModel } from './ai-sdk-embedding-model.js';
import { loadProvider, MODEL_PROVIDERS, type ModelProvider } from './load-provider.js';

const OWN_PROPERTIES = {
  provider: choiceProperty(undefined, MODEL_PROVIDERS),
  name: textProperty(),
  embeddingName: textProperty(),
  baseUrl: textProperty(),
  apiKey: textProperty(),
};

/** The keys of `ai.model`: `AiModule` reads the others, and says what is wrong with them. */
const MODEL_PROPERTY_TREE = { ...OWN_PROPERTIES, ...MODEL_TIMEOUT_PROPERTIES };

/** The properties `ai.model.*`: provider, name of the language model and of the embedding model, base URL and API key. */
export type AiModelProperties = ResolvedProperties<typeof OWN_PROPERTIES>;

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
  const { properties, problems } = readProperties(MODEL_PROPERTY_TREE, 'ai.model', options, source);
  const { timeout: _timeout, firstChunkTimeout: _firstChunk, chunkTimeout: _chunk, ...own } = properties;
  return { properties: own, problems };
}

/**
 * Makes the model that the properties describe. The provider's package is loaded only when it is chosen.
 *
 * @throws Error saying what is missing: a property, or the package to install
 */
export async function createChatModel(
  properties: Partial<AiModelProperties>,
  defaultOptions: ChatOptions = {},
): Promise<ChatModel> {
  const { name } = properties;
  const provider = requireProvider(properties);
  if (!name) throw new Error(`The property ai.model.name is not set: which model of ${provider} is to be used?`);
  const models = await loadProvider(provider, properties);
  // Chat Completions, since gateways that speak OpenAI's protocol rarely have the Responses API.
  return new AiSdkChatModel(models.chat && provider === 'openai' ? models.chat(name) : models(name), defaultOptions);
}

/**
 * Makes the embedding model that `ai.model.embedding-name` names.
 *
 * @throws Error saying what is missing: a property, or the package to install
 */
export async function createEmbeddingModel(properties: Partial<AiModelProperties>): Promise<EmbeddingModel> {
  const { embeddingName } = properties;
  const provider = requireProvider(properties);
  if (!embeddingName) throw new Error(`The property ai.model.embedding-name is not set: which model of ${provider}?`);
  if (provider === 'anthropic') {
    throw new Error(
      `The property ai.model.embedding-name is '${embeddingName}', but anthropic has no embedding models.`,
    );
  }
  const models = await loadProvider(provider, properties);
  return new AiSdkEmbeddingModel(models.embeddingModel!(embeddingName));
}

/** @throws Error when the provider is not known well enough to be asked */
function requireProvider({ provider, baseUrl }: Partial<AiModelProperties>): ModelProvider {
  if (!provider) throw new Error(`The property ai.model.provider is not set. Allowed: ${MODEL_PROVIDERS.join(', ')}.`);
  if (provider === 'openai-compatible' && !baseUrl) {
    throw new Error(
      'The property ai.model.base-url is not set: openai-compatible needs one, such as http://localhost:11434/v1.',
    );
  }
  return provider;
}

import type { ChatModel, ChatOptions, EmbeddingModel } from '@nestor-ai/core';
import { AiSdkEmbeddingModel } from '../ai-sdk-embedding-model.js';
import type { AiModelProperties } from './model-properties.js';
import { ConfiguredProvider, DEFAULT_NAMES, type ProviderSettings } from './configured-provider.js';

/**
 * Creates the model that the properties describe. The provider's package is only loaded if chosen.
 *
 * @throws Error that names what is missing: a property, or the package to install
 */
export async function createChatModel(
  properties: Partial<AiModelProperties> & Pick<ProviderSettings, 'fetch'>,
  defaultOptions: ChatOptions = {},
): Promise<ChatModel> {
  const provider = await ConfiguredProvider.load(properties, DEFAULT_NAMES);
  return provider.chatModel(provider.requireName(properties.name), defaultOptions);
}

/**
 * Creates the embedding model that `ai.model.embedding-name` configures.
 *
 * @throws Error that names what is missing: a property, or the package to install
 */
export async function createEmbeddingModel(
  properties: Partial<AiModelProperties> & Pick<ProviderSettings, 'fetch'>,
): Promise<EmbeddingModel> {
  const { embeddingName } = properties;
  const provider = await ConfiguredProvider.load(properties, DEFAULT_NAMES);
  if (!embeddingName)
    throw new Error(
      `The property ai.model.embedding-name is not set. Set AI_MODEL_EMBEDDING_NAME, or the option embeddingName in ` +
        `code, to an embedding model of ${provider.name}.`,
    );
  return new AiSdkEmbeddingModel(provider.embedder(embeddingName));
}

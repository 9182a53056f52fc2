export { AiSdkChatModel, type AiSdkChatModelSettings } from './ai-sdk-chat-model.js';
export { AiSdkEmbeddingModel, type AiSdkEmbeddingModelSettings } from './ai-sdk-embedding-model.js';
export { AiSdkModule, type AiSdkModuleOptions } from './ai-sdk.module.js';
export {
  type AiModelProperties,
  createChatModel,
  createEmbeddingModel,
  readModelProperties,
} from './create-chat-model.js';
export { MODEL_PROVIDERS, type ModelProvider } from './load-provider.js';
export type { AiSdkEmbedder, AiSdkLanguageModel } from './specification.js';

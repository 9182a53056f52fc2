/** @module @nestor-ai/ai-sdk */
export { AiSdkChatModel, type AiSdkChatModelSettings } from './ai-sdk-chat-model.js';
export { AiSdkEmbeddingModel, type AiSdkEmbeddingModelSettings } from './ai-sdk-embedding-model.js';
export { AiSdkModule } from './configuration/ai-sdk.module.js';
export {
  type AiSdkModuleAsyncOptions,
  type AiSdkModuleExtras,
  type AiSdkModuleOptions,
  type AiSdkOptionsFactory,
  type ModelOptions,
} from './configuration/ai-sdk.module-definition.js';
export type { FeatureModel } from './configuration/ai-sdk-feature.module.js';
export { createChatModel, createEmbeddingModel } from './configuration/create-chat-model.js';
export type { DownloadRules } from './request/download.js';
export {
  type AiModelProperties,
  type ModelPropertiesReading,
  readModelProperties,
} from './configuration/model-properties.js';
export { MODEL_PROVIDERS, type ModelProvider } from './configuration/provider-table.js';
export type { AiSdkEmbedder, AiSdkLanguageModel } from './language-model.js';

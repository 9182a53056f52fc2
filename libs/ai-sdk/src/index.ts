export { AiSdkChatModel, type AiSdkChatModelSettings } from './ai-sdk-chat-model.js';
export { AiSdkModule, type AiSdkModuleOptions } from './ai-sdk.module.js';
export {
  type AiModelProperties,
  createChatModel,
  MODEL_PROVIDERS,
  type ModelProvider,
  readModelProperties,
} from './create-chat-model.js';
export type { AiSdkLanguageModel } from './specification.js';

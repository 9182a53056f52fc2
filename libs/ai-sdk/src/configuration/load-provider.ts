import { factsOf, type ModelProvider } from './provider-table.js';
import type { AiSdkEmbedder, AiSdkLanguageModel } from '../language-model.js';

/** The models of a provider by name. */
export interface ProviderModels {
  (name: string): AiSdkLanguageModel;
  chat?: (name: string) => AiSdkLanguageModel;
  responses?: (name: string) => AiSdkLanguageModel;
  embeddingModel?: (name: string) => AiSdkEmbedder;
}

/** The function of a provider package that takes its settings. */
export type ProviderFactory = (settings: Record<string, unknown>) => ProviderModels;

/**
 * Loads the package of a provider. Only called for the chosen ones.
 *
 * @throws Error that names the package if it is missing, or fails when it is loaded
 */
export async function loadProvider(provider: ModelProvider): Promise<ProviderFactory> {
  try {
    // With literal names inside a `try`, bundlers include the installed packages, and accept that
    // others are missing.
    switch (provider) {
      case 'openai':
        return (await import('@ai-sdk/openai')).createOpenAI;
      case 'anthropic':
        return (await import('@ai-sdk/anthropic')).createAnthropic;
      case 'openai-compatible':
        return (await import('@ai-sdk/openai-compatible')).createOpenAICompatible as unknown as ProviderFactory;
      case 'azure':
        return (await import('@ai-sdk/azure')).createAzure;
      case 'google':
        return (await import('@ai-sdk/google')).createGoogleGenerativeAI;
      case 'google-vertex':
        return (await import('@ai-sdk/google-vertex')).createVertex;
      case 'mistral':
        return (await import('@ai-sdk/mistral')).createMistral;
      case 'amazon-bedrock':
        return (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock;
      case 'xai':
        return (await import('@ai-sdk/xai')).createXai;
      case 'groq':
        return (await import('@ai-sdk/groq')).createGroq;
      case 'deepseek':
        return (await import('@ai-sdk/deepseek')).createDeepSeek;
      case 'cohere':
        return (await import('@ai-sdk/cohere')).createCohere;
      case 'perplexity':
        return (await import('@ai-sdk/perplexity')).createPerplexity;
      case 'togetherai':
        return (await import('@ai-sdk/togetherai')).createTogetherAI;
      case 'fireworks':
        return (await import('@ai-sdk/fireworks')).createFireworks;
      case 'ollama':
        return (await import('ollama-ai-provider-v2')).createOllama;
      case 'gateway':
        return (await import('@ai-sdk/gateway')).createGateway;
    }
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    const { packageName } = factsOf(provider);
    const isMissing = (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(packageName);
    if (isMissing) {
      throw new Error(`The package ${packageName} is not installed. Run: npm install ${packageName}`, { cause });
    }
    throw new Error(
      `The package ${packageName} is installed, but fails when it is loaded: ${message} Install another version of it.`,
      { cause },
    );
  }
}

import type { AiSdkEmbedder, AiSdkLanguageModel } from './specification.js';

/** The providers that properties can choose. Any other AI SDK provider works through `AiSdkChatModel`. */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'openai-compatible'] as const;

/** One of {@link MODEL_PROVIDERS}. */
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** The models of a provider, by their names. */
export interface ProviderModels {
  (name: string): AiSdkLanguageModel;
  chat?: (name: string) => AiSdkLanguageModel;
  embeddingModel?: (name: string) => AiSdkEmbedder;
}

type Factory = (settings: Record<string, unknown>) => ProviderModels;

/**
 * Loads the package of a provider, which happens only where it is chosen.
 *
 * @throws Error naming the package to install when it is missing
 */
export async function loadProvider(
  provider: ModelProvider,
  { baseUrl, apiKey }: { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined },
): Promise<ProviderModels> {
  const settings = { ...(baseUrl && { baseURL: baseUrl }), ...(apiKey && { apiKey }) };
  switch (provider) {
    case 'openai':
      return (await load('@ai-sdk/openai', 'createOpenAI', () => import('@ai-sdk/openai')))(settings);
    case 'anthropic':
      return (await load('@ai-sdk/anthropic', 'createAnthropic', () => import('@ai-sdk/anthropic')))(settings);
    case 'openai-compatible': {
      const create = await load(
        '@ai-sdk/openai-compatible',
        'createOpenAICompatible',
        () => import('@ai-sdk/openai-compatible'),
      );
      return create({ ...settings, name: provider, includeUsage: true });
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

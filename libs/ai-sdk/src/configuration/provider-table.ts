/** What Nestor knows of a provider package. */
export interface ProviderFacts {
  /** The package to install. */
  readonly packageName: string;
  /**
   * The environment variables from which the package reads the API key. Undefined for a provider
   * that needs no key, or that finds credentials in another way.
   */
  readonly keyVariables?: readonly string[];
  /** What has to be set so that the package knows the address. Default: it knows it. */
  readonly address?: { readonly variable?: string; readonly example: string };
  /** Settings of every model. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The option of the package for the API key. Default: `apiKey`. */
  readonly keyOption?: 'bearer';
}

/** The providers that you can choose with properties, by the value of `ai.model.provider`. */
export const PROVIDERS = {
  openai: { packageName: '@ai-sdk/openai', keyVariables: ['OPENAI_API_KEY'] },
  anthropic: { packageName: '@ai-sdk/anthropic', keyVariables: ['ANTHROPIC_API_KEY'] },
  'openai-compatible': {
    packageName: '@ai-sdk/openai-compatible',
    address: { example: 'http://localhost:11434/v1' },
    settings: { name: 'openai-compatible', includeUsage: true },
  },
  azure: {
    packageName: '@ai-sdk/azure',
    keyVariables: ['AZURE_API_KEY'],
    address: { variable: 'AZURE_RESOURCE_NAME', example: 'https://my-resource.openai.azure.com/openai' },
  },
  google: { packageName: '@ai-sdk/google', keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY'] },
  // Uses the credentials of the Google Cloud project.
  'google-vertex': { packageName: '@ai-sdk/google-vertex' },
  mistral: { packageName: '@ai-sdk/mistral', keyVariables: ['MISTRAL_API_KEY'] },
  // Uses the credentials of the AWS account.
  'amazon-bedrock': { packageName: '@ai-sdk/amazon-bedrock' },
  xai: { packageName: '@ai-sdk/xai', keyVariables: ['XAI_API_KEY'] },
  groq: { packageName: '@ai-sdk/groq', keyVariables: ['GROQ_API_KEY'] },
  deepseek: { packageName: '@ai-sdk/deepseek', keyVariables: ['DEEPSEEK_API_KEY'] },
  cohere: { packageName: '@ai-sdk/cohere', keyVariables: ['COHERE_API_KEY'] },
  perplexity: { packageName: '@ai-sdk/perplexity', keyVariables: ['PERPLEXITY_API_KEY'] },
  togetherai: { packageName: '@ai-sdk/togetherai', keyVariables: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'] },
  fireworks: { packageName: '@ai-sdk/fireworks', keyVariables: ['FIREWORKS_API_KEY'] },
  // Only a server behind a gateway needs a key, and the package has no option for it.
  ollama: { packageName: 'ollama-ai-provider-v2', keyOption: 'bearer' },
  gateway: { packageName: '@ai-sdk/gateway', keyVariables: ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN'] },
} as const satisfies Record<string, ProviderFacts>;

/** A value of `ai.model.provider`. */
export type ModelProvider = keyof typeof PROVIDERS;

/**
 * The providers that you can choose with properties. Any other AI SDK provider works with
 * `AiSdkChatModel`.
 */
export const MODEL_PROVIDERS = Object.keys(PROVIDERS) as readonly ModelProvider[];

export function isModelProvider(name: string): name is ModelProvider {
  return Object.hasOwn(PROVIDERS, name);
}

export function factsOf(provider: ModelProvider): ProviderFacts {
  return PROVIDERS[provider];
}

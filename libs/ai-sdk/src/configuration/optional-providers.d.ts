/*
 * The packages of providers that this repository does not install. Your application installs the
 * one that it chooses.
 */
declare module '@ai-sdk/cohere' {
  export const createCohere: import('./load-provider.js').ProviderFactory;
}
declare module '@ai-sdk/fireworks' {
  export const createFireworks: import('./load-provider.js').ProviderFactory;
}
declare module '@ai-sdk/google-vertex' {
  export const createVertex: import('./load-provider.js').ProviderFactory;
}
declare module '@ai-sdk/perplexity' {
  export const createPerplexity: import('./load-provider.js').ProviderFactory;
}
declare module '@ai-sdk/togetherai' {
  export const createTogetherAI: import('./load-provider.js').ProviderFactory;
}

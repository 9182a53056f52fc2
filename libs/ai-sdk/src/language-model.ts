import type { CallOptions, GenerateResult, ProviderData, SpecificationVersion, StreamResult } from './specification.js';

/** URLs by media type: `image/*`, or `*` for all. */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

/** A language model of an AI SDK provider package, version 3 or 4 of the specification. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: SpecificationVersion;
  readonly provider: string;
  readonly modelId: string;
  /** The URLs that the provider fetches itself, by media type. Default: all. */
  readonly supportedUrls?: PromiseLike<SupportedUrls> | SupportedUrls;
  doGenerate(options: CallOptions): PromiseLike<GenerateResult>;
  doStream(options: CallOptions): PromiseLike<StreamResult>;
}

/** An embedding model of an AI SDK provider package, version 3 or 4 of the specification. */
export interface AiSdkEmbedder {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
    providerOptions?: ProviderData;
  }): PromiseLike<{ embeddings: number[][] }>;
}

import { type Embedding, EmbeddingModel, type EmbeddingOptions } from '@nestor-ai/core';
import { toFailure } from './failure/errors.js';
import { toProviderName } from './provider-name.js';
import type { AiSdkEmbedder } from './language-model.js';
import type { ProviderData } from './specification.js';

/** The maximum number of concurrent requests, if the model supports them. */
const MAX_PARALLEL = 4;

/** The options of {@link AiSdkEmbeddingModel}. */
export interface AiSdkEmbeddingModelSettings {
  /** Options for one provider, keyed by its name, such as `{ openai: { dimensions: 512 } }`. */
  readonly providerOptions?: ProviderData;
}

/**
 * An `EmbeddingModel` for any embedding model of an AI SDK provider package.
 *
 * @example
 * const embeddingModel = new AiSdkEmbeddingModel(
 *   createOpenAI({ apiKey }).embedding('text-embedding-3-small'),
 * );
 */
export class AiSdkEmbeddingModel extends EmbeddingModel {
  /**
   * @param embedder a model of version 3 or 4 of the provider specification
   * @throws TypeError for a model of another version
   */
  constructor(
    private readonly embedder: AiSdkEmbedder,
    private readonly settings: AiSdkEmbeddingModelSettings = {},
  ) {
    super();
    const version: unknown = (embedder as AiSdkEmbedder | undefined)?.specificationVersion;
    if ((version !== 'v3' && version !== 'v4') || typeof embedder.doEmbed !== 'function') {
      throw new TypeError(
        `AiSdkEmbeddingModel needs an embedding model of version 3 or 4 of the AI SDK's provider specification, but got ` +
          `${typeof version === 'string' ? `version ${version}, or a model of another kind` : 'something else'}. Pass the result of ` +
          "a provider's embedding(), from one of the last two major versions of the @ai-sdk/* package.",
      );
    }
  }

  /** @throws ChatModelException with the HTTP status, or the reason of the abort */
  async embed(texts: readonly string[], { signal }: EmbeddingOptions = {}): Promise<readonly Embedding[]> {
    const perCall = (await this.embedder.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY;
    const parallel = (await this.embedder.supportsParallelCalls) ? MAX_PARALLEL : 1;
    const batches = groupsOf(texts, perCall);
    const embeddings: Embedding[] = [];
    for (const wave of groupsOf(batches, parallel)) {
      embeddings.push(...(await Promise.all(wave.map((batch) => this.#embed(batch, signal)))).flat());
    }
    return embeddings;
  }

  async #embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly Embedding[]> {
    try {
      const { providerOptions } = this.settings;
      const { embeddings } = await this.embedder.doEmbed({
        values: texts.map((text) => text.toWellFormed()),
        ...(signal && { abortSignal: signal }),
        ...(providerOptions && { providerOptions }),
      });
      return embeddings;
    } catch (error) {
      const { provider, modelId } = this.embedder;
      throw toFailure(error, signal, { provider: toProviderName(provider), modelName: modelId }, this.embedder);
    }
  }
}

function groupsOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  if (items.length <= size) return items.length > 0 ? [items] : [];
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

import type { EmbeddingModel } from '@nestor-ai/core';
import { CatalogueToolIndex, type ToolIndexOptions } from '../tool-index/catalogue-tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import { SimpleVectorStore } from './simple-vector-store.js';
import { ToolDocuments } from './tool-documents.js';
import { VectorCatalogue } from './vector-catalogue.js';
import { VectorStore } from './vector-store.js';

/** Where an index stores embeddings: in a store, or in memory with an embedding model. */
export type VectorSource =
  | { readonly vectorStore: VectorStore; readonly embeddingModel?: undefined }
  | { readonly embeddingModel: EmbeddingModel; readonly vectorStore?: undefined };

/**
 * Finds tools by meaning. Best for requests in everyday words that do not occur in the tool.
 *
 * @example
 * new VectorToolIndex({
 *   embeddingModel: new AiSdkEmbeddingModel(openai.embedding('text-embedding-3-small')),
 * });
 */
export class VectorToolIndex extends CatalogueToolIndex {
  override readonly searchType = 'vector';
  readonly #documents: ToolDocuments;

  /** @throws TypeError without a store or an embedding model */
  constructor(given: VectorStore | (VectorSource & ToolIndexOptions)) {
    super(given instanceof VectorStore ? {} : given);
    this.#documents = ToolDocuments.in(given instanceof VectorStore ? given : storeOf(given, 'VectorToolIndex'));
  }

  protected override createCatalogue(tools: ToolSet): Promise<VectorCatalogue> {
    return VectorCatalogue.of(tools, this.#documents);
  }
}

/** @throws TypeError that names the index if neither is set */
export function storeOf(given: VectorSource | undefined, whose: string): VectorStore {
  const { vectorStore, embeddingModel } = given ?? {};
  if (vectorStore) return vectorStore;
  if (embeddingModel) return new SimpleVectorStore({ embeddingModel });
  throw new TypeError(`${whose} needs a VectorStore or an EmbeddingModel: new ${whose}({ embeddingModel }).`);
}

import { type Embedding, EmbeddingModel } from '@nestor-ai/core';

/** Placeholder for an embedding model that could not be created. Calls fail with the reason. */
export class UnavailableEmbeddingModel extends EmbeddingModel {
  constructor(private readonly problem: unknown) {
    super();
  }

  override verify(): void {
    throw this.problem;
  }

  embed(): Promise<readonly Embedding[]> {
    return Promise.reject(this.problem);
  }
}

import { type Embedding, EmbeddingModel } from '@nestor-ai/core';

/** Stands for an embedding model that could not be made: whoever asks it is told why. */
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

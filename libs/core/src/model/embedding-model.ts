/** A text as a vector. Texts with similar meanings have vectors with similar directions. */
export type Embedding = readonly number[] | Float32Array;

/** The options of one request to an {@link EmbeddingModel}. */
export interface EmbeddingOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors. It is also the injection token. */
export abstract class EmbeddingModel {
  /**
   * Returns one vector for each text, in the same order, all of the same length.
   *
   * @param texts any number of texts, none of them empty; the model splits them into as many
   * requests as it needs
   * @throws ChatModelException or another error of the model when it cannot be reached
   */
  abstract embed(texts: readonly string[], options?: EmbeddingOptions): Promise<readonly Embedding[]>;

  /**
   * Checks that the model can be used, without calling it. Runs at bootstrap. Does nothing by
   * default.
   *
   * @throws Error that names the problem
   */
  verify(): void {}
}

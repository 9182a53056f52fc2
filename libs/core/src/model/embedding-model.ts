/** A text as a vector: texts of like meaning have vectors of like direction. */
export type Embedding = readonly number[] | Float32Array;

/** The options of one request to an {@link EmbeddingModel}. */
export interface EmbeddingOptions {
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors. Also the injection token. */
export abstract class EmbeddingModel {
  /**
   * The vectors of texts, in their order, all of one length.
   *
   * @param texts any number of them, none empty; the model divides them into as many requests as it needs
   * @throws ChatModelException or an error of the model's own when it cannot be reached
   */
  abstract embed(texts: readonly string[], options?: EmbeddingOptions): Promise<readonly Embedding[]>;

  /**
   * Makes sure that the model can be used, as far as that can be known without asking it. Called when the application starts.
   * Does nothing by default.
   *
   * @throws Error saying what is wrong
   */
  verify(): void {}
}

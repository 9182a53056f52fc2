/** A text that can be found by its meaning. */
export interface VectorDocument {
  readonly id: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
}

/** A search in a {@link VectorStore}. */
export interface VectorSearchRequest {
  readonly query: string;
  /** The maximum number of documents to return. */
  readonly topK: number;
  /** Only searches these documents. Default: all. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A document that a search found. */
export interface VectorMatch {
  readonly id: string;
  /**
   * The similarity: the cosine of the vectors, or the store's own measure. Higher is more similar.
   */
  readonly score: number;
}

/** Stores documents by meaning, in memory or in a database. It is also the injection token. */
export abstract class VectorStore {
  /**
   * Whether other processes use the store as well. If so, Nestor never deletes documents, because
   * another process may need them. Document ids are hashes of the content and the same for all
   * processes. Default: false.
   */
  readonly isShared: boolean = false;

  /** Adds documents. Replaces documents with the same id. */
  abstract add(documents: readonly VectorDocument[]): Promise<void>;

  /** Deletes documents. Ignores unknown ids. */
  abstract delete(ids: readonly string[]): Promise<void>;

  /** Returns the documents that are most similar to the query, most similar first. */
  abstract similaritySearch(request: VectorSearchRequest): Promise<readonly VectorMatch[]>;

  /** Runs several searches. Default: all in parallel. */
  similaritySearches(requests: readonly VectorSearchRequest[]): Promise<readonly (readonly VectorMatch[])[]> {
    return Promise.all(requests.map((request) => this.similaritySearch(request)));
  }
}

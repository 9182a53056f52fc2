/** A text that can be found by its meaning. */
export interface VectorDocument {
  readonly id: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
}

/** What to look for in a {@link VectorStore}. */
export interface VectorSearchRequest {
  readonly query: string;
  /** How many documents are found at most. */
  readonly topK: number;
  /** Only these documents are looked at. Default: all. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** Gives the search up. */
  readonly signal?: AbortSignal | undefined;
}

/** A document that was found. */
export interface VectorMatch {
  readonly id: string;
  /** How near it is in meaning: the cosine of the two vectors, or whatever the store measures by. The greater, the nearer. */
  readonly score: number;
}

/** Keeps documents by their meaning: in memory, in a database. Also the injection token. */
export abstract class VectorStore {
  /**
   * Whether other processes have their documents in the store as well. Then none is deleted, since another one may need it: documents
   * are named by what they say, and are the same for all. Default: false.
   */
  readonly isShared: boolean = false;

  /** Adds documents; one of the same id is replaced. */
  abstract add(documents: readonly VectorDocument[]): Promise<void>;

  /** Takes documents out; ids that are not there are passed over. */
  abstract delete(ids: readonly string[]): Promise<void>;

  /** The documents nearest in meaning to the query, the nearest first. */
  abstract similaritySearch(request: VectorSearchRequest): Promise<readonly VectorMatch[]>;

  /** Several searches at once, each with its own answer. Default: all at the same time. */
  similaritySearches(requests: readonly VectorSearchRequest[]): Promise<readonly (readonly VectorMatch[])[]> {
    return Promise.all(requests.map((request) => this.similaritySearch(request)));
  }
}

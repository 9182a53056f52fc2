import type { Embedding, EmbeddingModel } from '@nestor-ai/core';
import { type VectorDocument, type VectorMatch, type VectorSearchRequest, VectorStore } from './vector-store.js';

/** The options of {@link SimpleVectorStore}. */
export interface SimpleVectorStoreOptions {
  /** Turns documents and queries into vectors. */
  readonly embeddingModel: EmbeddingModel;
}

/**
 * Keeps documents in memory and compares the query with each of them. Suitable for tens of
 * thousands of documents.
 */
export class SimpleVectorStore extends VectorStore {
  readonly #vectors = new Map<string, Float32Array>();
  readonly #embeddingModel: EmbeddingModel;

  /** @throws TypeError without an embedding model */
  constructor(given: SimpleVectorStoreOptions | EmbeddingModel) {
    super();
    const embeddingModel = given && 'embed' in given ? given : given?.embeddingModel;
    if (typeof embeddingModel?.embed !== 'function') {
      throw new TypeError('SimpleVectorStore needs an EmbeddingModel: new SimpleVectorStore({ embeddingModel }).');
    }
    this.#embeddingModel = embeddingModel;
  }

  /** The number of documents. */
  get size(): number {
    return this.#vectors.size;
  }

  override async add(documents: readonly VectorDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const vectors = await this.#embed(documents.map(({ text }) => text));
    documents.forEach(({ id }, index) => this.#vectors.set(id, vectors[index]!));
  }

  override async delete(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#vectors.delete(id);
  }

  override async similaritySearch(request: VectorSearchRequest): Promise<readonly VectorMatch[]> {
    const [matches] = await this.similaritySearches([request]);
    return matches!;
  }

  override async similaritySearches(
    requests: readonly VectorSearchRequest[],
  ): Promise<readonly (readonly VectorMatch[])[]> {
    const asked = requests.filter(({ query }) => query.trim() !== '');
    const vectors =
      this.#vectors.size > 0 && asked.length > 0
        ? await this.#embed(
            asked.map(({ query }) => query),
            asked[0]!.signal,
          )
        : [];
    return requests.map((request) => {
      const vector = vectors[asked.indexOf(request)];
      return vector ? this.#nearest(vector, request) : [];
    });
  }

  #nearest(asked: Float32Array, { topK, ids }: VectorSearchRequest): VectorMatch[] {
    const matches: VectorMatch[] = [];
    for (const id of ids ?? this.#vectors.keys()) {
      const vector = this.#vectors.get(id);
      if (vector) matches.push({ id, score: product(asked, vector) });
    }
    return best(matches, topK).sort((a, b) => b.score - a.score);
  }

  async #embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const embeddings = await this.#embeddingModel.embed(texts, { signal });
    if (embeddings.length !== texts.length) {
      throw new Error(
        `The EmbeddingModel received ${texts.length} texts, but returned ${embeddings.length} vectors. It must return one for each text.`,
      );
    }
    return embeddings.map(toUnitVector);
  }
}

/** For vectors of length 1, the dot product is the cosine. */
function toUnitVector(embedding: Embedding): Float32Array {
  const vector = Float32Array.from(embedding);
  const length = Math.sqrt(product(vector, vector));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/** The highest scores, without sorting all of them. NaN is not a match. */
function best(matches: VectorMatch[], count: number): VectorMatch[] {
  const comparable = matches.filter(({ score }) => !Number.isNaN(score));
  if (comparable.length <= count) return comparable;
  const scores = Float64Array.from(comparable, ({ score }) => score).sort();
  const least = scores[scores.length - count]!;
  const greater = comparable.filter(({ score }) => score > least);
  return [...greater, ...comparable.filter(({ score }) => score === least).slice(0, count - greater.length)];
}

function product(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new Error(
      `Vectors with ${a.length} and ${b.length} numbers cannot be compared. Use the same embedding model for all of them.`,
    );
  }
  // Four sums in parallel, because a single one would have to wait for its previous value.
  let [first, second, third, fourth] = [0, 0, 0, 0];
  let index = 0;
  for (; index + 3 < a.length; index += 4) {
    first += a[index]! * b[index]!;
    second += a[index + 1]! * b[index + 1]!;
    third += a[index + 2]! * b[index + 2]!;
    fourth += a[index + 3]! * b[index + 3]!;
  }
  for (; index < a.length; index++) first += a[index]! * b[index]!;
  return first + second + third + fourth;
}

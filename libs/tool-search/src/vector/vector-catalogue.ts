import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolReference } from '../tool-index/tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import type { ToolDocuments } from './tool-documents.js';
import type { VectorMatch } from './vector-store.js';

/** How many tools are compared by meaning: all of most catalogues, and the nearest of the others. */
const NEAREST = 1000;

/** Tools by their meaning. */
export class VectorCatalogue implements ToolCatalogue {
  readonly #tools = new Map<string, { readonly tool: ToolReference; readonly id: string }>();
  readonly #nameOf = new Map<string, string>();
  #ids: ReadonlySet<string> = new Set();

  private constructor(private readonly documents: ToolDocuments) {}

  /** @throws what the store throws when it cannot take the tools */
  static async of(tools: ToolSet, documents: ToolDocuments): Promise<VectorCatalogue> {
    const catalogue = new VectorCatalogue(documents);
    await catalogue.change([], tools.tools);
    return catalogue;
  }

  async change(removed: readonly string[], added: readonly ToolReference[]): Promise<void> {
    const gone = removed.flatMap((name) => this.#tools.get(name) ?? []);
    await this.documents.keep(added);
    for (const { tool, id } of gone) {
      this.#tools.delete(tool.toolName);
      this.#nameOf.delete(id);
    }
    for (const tool of added) {
      const id = this.documents.idOf(tool);
      this.#tools.set(tool.toolName, { tool, id });
      this.#nameOf.set(id, tool.toolName);
    }
    this.#ids = new Set(this.#nameOf.keys());
    await this.documents.release(gone.map(({ tool }) => tool));
  }

  async search({ query, limit, accepts, signal }: CatalogueQuery): Promise<readonly ScoredTool[]> {
    const ids = this.#idsOf(accepts);
    if (ids.size === 0) return [];
    const matches = await this.documents.store.similaritySearch({ query, topK: limit, ids, signal });
    // Whoever wrote the store may have left the order to us.
    return this.#named(matches).sort((a, b) => b.score - a.score);
  }

  /** How near the nearest tools are to each of several texts, by their names. */
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
    await this.documents.release(Array.from(this.#tools.values(), ({ tool }) => tool));
  }

  #idsOf(accepts: CatalogueQuery['accepts']): ReadonlySet<string> {
    return accepts ? new Set([...this.#ids].filter((id) => accepts(this.#nameOf.get(id)!))) : this.#ids;
  }

  #named(matches: readonly VectorMatch[]): ScoredTool[] {
    return matches.flatMap(({ id, score }) => {
      const toolName = this.#nameOf.get(id);
      return toolName === undefined ? [] : { toolName, score };
    });
  }
}

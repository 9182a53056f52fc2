import { Logger } from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';
import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolReference } from '../tool-index/tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import type { ToolDocuments } from './tool-documents.js';
import type { VectorMatch } from './vector-store.js';

/** The maximum number of tools to compare by meaning. Most catalogues have fewer. */
const NEAREST = 1000;

/** Searches tools by meaning. */
export class VectorCatalogue implements ToolCatalogue {
  readonly #idOf = new Map<string, string>();
  readonly #nameOf = new Map<string, string>();
  /** The keys of {@link #nameOf}, for lookups by a store. */
  readonly #ids = new Set<string>();

  private constructor(private readonly documents: ToolDocuments) {}

  /** @throws the error of the store when it cannot add the tools */
  static async of(tools: ToolSet, documents: ToolDocuments): Promise<VectorCatalogue> {
    const catalogue = new VectorCatalogue(documents);
    await catalogue.change([], tools.tools);
    return catalogue;
  }

  async change(removed: readonly string[], added: readonly ToolReference[]): Promise<void> {
    const documents = added.map((tool) => this.documents.documentOf(tool));
    await this.documents.keep(documents);
    const gone = removed.flatMap((name) => this.#idOf.get(name) ?? []);
    for (const name of removed) this.#idOf.delete(name);
    for (const id of gone) {
      this.#nameOf.delete(id);
      this.#ids.delete(id);
    }
    added.forEach(({ toolName }, index) => {
      const { id } = documents[index]!;
      this.#idOf.set(toolName, id);
      this.#nameOf.set(id, toolName);
      this.#ids.add(id);
    });
    // The change is complete. If the deletion fails, the store keeps unused documents, which no
    // search returns.
    await this.documents.release(gone).catch((error: unknown) => warn(error));
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
    await this.documents.release([...this.#idOf.values()]);
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

const logger = new Logger('ToolSearch');

function warn(error: unknown): void {
  logger.warn(`Tools could not be deleted from the VectorStore: ${errorTypeOf(error)}`);
}

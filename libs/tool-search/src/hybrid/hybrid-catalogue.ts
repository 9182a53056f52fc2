import { Logger } from '@nestjs/common';
import { KeywordCatalogue } from '../keyword/keyword-catalogue.js';
import { spread } from '../keyword/keyword-ranking.js';
import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolReference } from '../tool-index/tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import type { ToolDocuments } from '../vector/tool-documents.js';
import { VectorCatalogue } from '../vector/vector-catalogue.js';
import { clausesOf } from '../words/clauses.js';
import { fuse, type Similarities } from './fusion.js';

/** How long the embeddings are left alone after they have failed, in milliseconds. */
const REST = 30_000;

/** Tools by their words and by their meaning. */
export class HybridCatalogue implements ToolCatalogue {
  readonly #logger = new Logger('ToolSearch');
  readonly #words: KeywordCatalogue;
  readonly #tools: ToolSet;
  /** Undefined when it could not be made. */
  #meaning: Promise<VectorCatalogue> | undefined;
  #failedAt: number | undefined;

  /** @param patience how long a search waits for embeddings, in milliseconds */
  constructor(
    tools: ToolSet,
    private readonly documents: ToolDocuments,
    private readonly patience: number,
  ) {
    this.#tools = tools.copy();
    this.#words = new KeywordCatalogue(tools.tools);
    this.#make(VectorCatalogue.of(this.#tools, documents));
  }

  change(removed: readonly string[], added: readonly ToolReference[]): void {
    this.#words.change(removed, added);
    for (const name of removed) this.#tools.delete(name);
    for (const tool of added) this.#tools.add(tool);
    if (this.#meaning) this.#make(this.#meaning.then((catalogue) => changed(catalogue, removed, added)));
  }

  async search(query: CatalogueQuery): Promise<readonly ScoredTool[]> {
    const { candidates, size } = this.#words.weigh(query);
    const [whole, ...parts] = await this.#similarities(query);
    const fused = whole ? fuse(candidates, whole, parts) : candidates;
    return spread(fused, size).map(({ toolName, score }) => ({ toolName, score }));
  }

  async dispose(): Promise<void> {
    // Of what could not be made there is nothing to dispose.
    const catalogue = await this.#meaning?.catch(() => undefined);
    await catalogue?.dispose();
  }

  /** None where they cannot be had, or not in time: words alone find less, but more than nothing. */
  async #similarities({ query, accepts, signal }: CatalogueQuery): Promise<readonly Similarities[]> {
    const text = query.trim();
    if (text === '' || this.#isResting) return [];
    const meaning = this.#meaning ?? this.#make(VectorCatalogue.of(this.#tools, this.documents));
    const asked = meaning.then((catalogue) =>
      catalogue.similaritiesTo([text, ...clausesOf(text)], { accepts, signal }),
    );
    try {
      return await within(this.patience, this.#follow(asked));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#logger.warn(`Tools are searched by their words alone, since there are no embeddings: ${why}`);
      return [];
    }
  }

  get #isResting(): boolean {
    return this.#failedAt !== undefined && Date.now() - this.#failedAt < REST;
  }

  #make(making: Promise<VectorCatalogue>): Promise<VectorCatalogue> {
    this.#meaning = making;
    this.#follow(making).catch(() => {
      if (this.#meaning === making) this.#meaning = undefined;
    });
    return making;
  }

  /** Remembers whether embeddings can be had. */
  #follow<T>(work: Promise<T>): Promise<T> {
    work.then(
      () => (this.#failedAt = undefined),
      () => (this.#failedAt = Date.now()),
    );
    return work;
  }
}

/** @throws what the change fails with; then nothing is kept of the catalogue, which is to be made anew */
async function changed(
  catalogue: VectorCatalogue,
  removed: readonly string[],
  added: readonly ToolReference[],
): Promise<VectorCatalogue> {
  try {
    await catalogue.change(removed, added);
    return catalogue;
  } catch (error) {
    await catalogue.dispose();
    throw error;
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`they were not there within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

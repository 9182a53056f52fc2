import { Logger } from '@nestjs/common';
import { errorTypeOf, untilAborted } from '@nestor-ai/core';
import { KeywordCatalogue } from '../keyword/keyword-catalogue.js';
import { spread } from '../keyword/keyword-ranking.js';
import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolReference } from '../tool-index/tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import type { ToolDocuments } from '../vector/tool-documents.js';
import { VectorCatalogue } from '../vector/vector-catalogue.js';
import { clausesOf } from '../words/clauses.js';
import { fuse, type Similarities } from './fusion.js';

/** How long the embeddings are left alone after they have failed or hung, in milliseconds. */
const REST = 30_000;

/** How many characters of a request are embedded: models refuse what is too long. */
const LONGEST = 2000;

/** Tools by their words and by their meaning. */
export class HybridCatalogue implements ToolCatalogue {
  readonly #logger = new Logger('ToolSearch');
  readonly #words: KeywordCatalogue;
  readonly #tools: ToolSet;
  /** Undefined when it could not be made. */
  #meaning: Promise<VectorCatalogue> | undefined;
  #failedAt: number | undefined;
  #isDisposed = false;

  /** @param patience how long a search waits for embeddings, in milliseconds */
  constructor(
    tools: ToolSet,
    private readonly documents: ToolDocuments,
    private readonly patience: number,
  ) {
    this.#tools = tools.copy();
    this.#words = new KeywordCatalogue(tools.tools);
    void this.#make(VectorCatalogue.of(this.#tools, documents));
  }

  change(removed: readonly string[], added: readonly ToolReference[]): void {
    this.#words.change(removed, added);
    for (const name of removed) this.#tools.delete(name);
    for (const tool of added) this.#tools.add(tool);
    if (this.#meaning) void this.#make(this.#meaning.then((catalogue) => changed(catalogue, removed, added)));
  }

  async search(query: CatalogueQuery): Promise<readonly ScoredTool[]> {
    const { candidates, size } = this.#words.weigh(query);
    const [whole, ...parts] = await this.#similarities(query);
    const fused = whole ? fuse(candidates, whole, parts) : candidates;
    return spread(fused, size).map(({ toolName, score }) => ({ toolName, score }));
  }

  /** Lets go of the embeddings, as soon as they are there; whoever waits for that waits no longer than a search would. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    // Of what could not be made there is nothing to dispose.
    const disposed = this.#meaning?.then(
      (catalogue) => catalogue.dispose(),
      () => undefined,
    );
    if (disposed)
      await untilAborted(AbortSignal.timeout(this.patience), disposed).catch((error: unknown) =>
        this.#warn(errorTypeOf(error)),
      );
  }

  /** None where they cannot be had, or not in time: words alone find less, but more than nothing. */
  async #similarities({ query, accepts, signal }: CatalogueQuery): Promise<readonly Similarities[]> {
    const text = query.trim().slice(0, LONGEST);
    if (text === '' || this.#isResting || this.#isDisposed) return [];
    signal?.throwIfAborted();
    const meaning = this.#meaning ?? this.#make(VectorCatalogue.of(this.#tools, this.documents));
    const patience = AbortSignal.timeout(this.patience);
    const either = signal ? AbortSignal.any([signal, patience]) : patience;
    const asked = meaning.then((catalogue) =>
      catalogue.similaritiesTo([text, ...clausesOf(text)], { accepts, signal: either }),
    );
    try {
      const similarities = await untilAborted(either, asked);
      this.#failedAt = undefined;
      return similarities;
    } catch (error) {
      // That somebody has left says nothing of the embeddings.
      signal?.throwIfAborted();
      this.#failedAt = Date.now();
      this.#warn(patience.aborted ? `they were not there within ${this.patience} ms` : errorTypeOf(error));
      return [];
    }
  }

  #warn(why: string): void {
    this.#logger.warn(`Tools are searched by their words alone, since there are no embeddings: ${why}`);
  }

  get #isResting(): boolean {
    return this.#failedAt !== undefined && Date.now() - this.#failedAt < REST;
  }

  #make(making: Promise<VectorCatalogue>): Promise<VectorCatalogue> {
    this.#meaning = making;
    making.catch(() => {
      if (this.#meaning !== making) return;
      this.#meaning = undefined;
      this.#failedAt = Date.now();
    });
    return making;
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
    await catalogue.dispose().catch(() => undefined);
    throw error;
  }
}

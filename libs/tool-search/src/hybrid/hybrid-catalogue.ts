import { Logger } from '@nestjs/common';
import { errorTypeOf, untilAborted } from '@nestor-ai/core';
import { KeywordCatalogue } from '../keyword/keyword-catalogue.js';
import { spread } from '../keyword/keyword-ranking.js';
import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import type { ToolDocuments } from '../vector/tool-documents.js';
import { VectorCatalogue } from '../vector/vector-catalogue.js';
import { clausesOf } from '../words/clauses.js';
import { fuse, type Similarities } from './fusion.js';

/** The pause after embeddings have failed or timed out, in milliseconds. */
const REST = 30_000;

/** The number of characters of a request to embed. Models reject longer texts. */
const LONGEST = 2000;

/** Searches tools by words and by meaning. */
export class HybridCatalogue implements ToolCatalogue {
  readonly #logger = new Logger('ToolSearch');
  readonly #words: KeywordCatalogue;
  /** Undefined if it could not be created. */
  #meaning: Promise<VectorCatalogue> | undefined;
  #failedAt: number | undefined;
  #isDisposed = false;

  /** @param patience the maximum time that a search waits for embeddings, in milliseconds */
  constructor(
    private readonly tools: ToolSet,
    private readonly documents: ToolDocuments,
    private readonly patience: number,
  ) {
    this.#words = new KeywordCatalogue(tools.tools);
    void this.#make(VectorCatalogue.of(tools, documents));
  }

  async search(query: CatalogueQuery): Promise<readonly ScoredTool[]> {
    const { candidates, size } = this.#words.weigh(query);
    const [whole, ...parts] = await this.#similarities(query);
    const fused = whole ? fuse(candidates, whole, parts) : candidates;
    return spread(fused, size).map(({ toolName, score }) => ({ toolName, score }));
  }

  /** Releases the embeddings when they are ready. The caller waits no longer than for a search. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    // If creation failed, there is nothing to dispose.
    const disposed = this.#meaning?.then(
      (catalogue) => catalogue.dispose(),
      () => undefined,
    );
    if (disposed)
      await untilAborted(AbortSignal.timeout(this.patience), disposed).catch((error: unknown) =>
        this.#warn(errorTypeOf(error)),
      );
  }

  /**
   * Returns nothing if the embeddings fail or time out. Searching by words alone finds less, but
   * still finds tools.
   */
  async #similarities({ query, accepts, signal }: CatalogueQuery): Promise<readonly Similarities[]> {
    const text = query.trim().slice(0, LONGEST);
    if (text === '' || this.#isResting || this.#isDisposed) return [];
    signal?.throwIfAborted();
    const meaning = this.#meaning ?? this.#make(VectorCatalogue.of(this.tools, this.documents));
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
      // An abort of the caller is not a failure of the embeddings.
      signal?.throwIfAborted();
      this.#failedAt = performance.now();
      this.#warn(patience.aborted ? `they timed out after ${this.patience} ms` : errorTypeOf(error));
      return [];
    }
  }

  #warn(why: string): void {
    this.#logger.warn(`Tools are searched by words only, because the embeddings are not available: ${why}`);
  }

  get #isResting(): boolean {
    return this.#failedAt !== undefined && performance.now() - this.#failedAt < REST;
  }

  #make(making: Promise<VectorCatalogue>): Promise<VectorCatalogue> {
    this.#meaning = making;
    making.catch(() => {
      if (this.#meaning !== making) return;
      this.#meaning = undefined;
      this.#failedAt = performance.now();
    });
    return making;
  }
}

import { Logger } from '@nestjs/common';
import { type Embedding, type EmbeddingModel, errorTypeOf, untilAborted } from '@nestor-ai/core';
import { boundedCache } from '@nestor-ai/core/internal';
import type { Passage } from './passages.js';

/** How many of the newest passages are compared, and how many are kept for all conversations. */
const MOST_COMPARED = 1000;
const MOST_KEPT = 5000;

/** How many texts the model gets at once, so that what it has answered in time counts. */
const AT_ONCE = 100;

/** How long a search waits for the model, and how long it is not asked after a failure, in milliseconds. */
const PATIENCE = 10_000;
const REST = 30_000;

/** Compares passages with a query by what they mean. Keeps the vectors of passages in memory. */
export class Meanings {
  readonly #vectors = boundedCache<Float32Array>(MOST_KEPT);
  readonly #logger = new Logger('ConversationSearchAdvisor');
  #hasWarned = false;
  #failedAt = -Infinity;

  constructor(private readonly model: EmbeddingModel) {}

  /**
   * The newest passages, those that mean the most like the query first. None if the model fails, and
   * those that it knows if it takes too long.
   *
   * @throws the reason of the signal
   */
  async nearest(query: string, passages: readonly Passage[], signal: AbortSignal): Promise<readonly Passage[]> {
    if (passages.length === 0 || query.trim() === '' || performance.now() < this.#failedAt + REST) return [];
    const compared = passages.slice(0, MOST_COMPARED);
    const unknown = new Set(compared.map(({ text }) => text).filter((text) => !this.#vectors.has(text)));
    let asked: Float32Array | undefined;
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
      [asked] = await this.#embed([query], limit);
      for (let texts = [...unknown]; texts.length > 0; texts = texts.slice(AT_ONCE)) {
        const vectors = await this.#embed(texts.slice(0, AT_ONCE), limit);
        for (const [at, vector] of vectors.entries()) this.#vectors.set(texts[at]!, vector);
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#failedAt = performance.now();
      this.#warnOnce(error);
    }
    return compared
      .map((passage) => ({ passage, likeness: cosineOf(asked, this.#vectors.get(passage.text)) }))
      .filter(({ likeness }) => likeness > 0)
      .toSorted((a, b) => b.likeness - a.likeness)
      .map(({ passage }) => passage);
  }

  async #embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const embeddings = await untilAborted(signal, this.model.embed(texts, { signal }));
    if (embeddings.length !== texts.length)
      throw new RangeError(`The EmbeddingModel returned ${embeddings.length} vectors for ${texts.length} texts.`);
    return embeddings.map(unitOf);
  }

  #warnOnce(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn(
      `Passages could not be compared by meaning (${errorTypeOf(error)}), so conversations are searched by words. Searches try again ` +
        'after 30 seconds. Check the EmbeddingModel. Nestor logs this once.',
    );
  }
}

/** The vector with a length of 1. */
function unitOf(embedding: Embedding): Float32Array {
  const vector = Float32Array.from(embedding);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** The cosine of two unit vectors. 0 if they cannot be compared. */
function cosineOf(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a?.length !== b?.length) return 0;
  return a?.reduce((sum, value, at) => sum + value * b![at]!, 0) || 0;
}

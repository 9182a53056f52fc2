import type { ToolIndexOptions } from '../tool-index/catalogue-tool-index.js';
import { CatalogueToolIndex } from '../tool-index/catalogue-tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import { ToolDocuments } from '../vector/tool-documents.js';
import { storeOf, type VectorSource } from '../vector/vector-tool-index.js';
import { HybridCatalogue } from './hybrid-catalogue.js';

/** The options of {@link HybridToolIndex}. */
export type HybridToolIndexOptions = VectorSource &
  ToolIndexOptions & {
    /**
     * How long a search waits for embeddings before it continues with words only, in milliseconds.
     * Default: 5,000.
     */
    readonly embeddingTimeout?: number;
  };

const DEFAULT_TIMEOUT = 5000;
/** The maximum delay of a Node.js timer. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * Finds tools by words and by meaning. It adds the scores of keyword search and embeddings. If
 * embeddings fail or time out, it continues with words only.
 *
 * @example
 * new HybridToolIndex({
 *   embeddingModel: new AiSdkEmbeddingModel(openai.embeddingModel('text-embedding-3-small')),
 * });
 */
export class HybridToolIndex extends CatalogueToolIndex {
  override readonly searchType = 'hybrid';
  readonly #documents: ToolDocuments;
  readonly #timeout: number;

  /**
   * @throws TypeError without a store or an embedding model
   * @throws RangeError when the timeout is not a valid timer delay
   */
  constructor(options: HybridToolIndexOptions) {
    super(options);
    this.#documents = ToolDocuments.in(storeOf(options, 'HybridToolIndex'));
    const { embeddingTimeout = DEFAULT_TIMEOUT } = options;
    if (!(embeddingTimeout > 0 && embeddingTimeout <= LONGEST_TIMEOUT)) {
      throw new RangeError(
        `embeddingTimeout must be a number of milliseconds greater than 0 and at most 24 days, but is ${embeddingTimeout}.`,
      );
    }
    this.#timeout = Math.ceil(embeddingTimeout);
  }

  protected override createCatalogue(tools: ToolSet): HybridCatalogue {
    return new HybridCatalogue(tools, this.#documents, this.#timeout);
  }
}

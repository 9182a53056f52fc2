import { CatalogueToolIndex } from '../tool-index/catalogue-tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import { KeywordCatalogue } from './keyword-catalogue.js';

/**
 * Finds tools by words. It uses BM25 over name, description and parameters, recognizes word forms
 * and naming styles, and uses synonyms. It has no dependencies on services, and takes well under a
 * millisecond for thousands of tools.
 *
 * @example
 * const index = new KeywordToolIndex();
 * await index.indexTools('session', [
 *   { toolName: 'getWeather', summary: 'Get the weather of a city' },
 * ]);
 * await index.search({ sessionId: 'session', query: 'will it rain in Paris' });
 */
export class KeywordToolIndex extends CatalogueToolIndex {
  override readonly searchType = 'keyword';

  protected override createCatalogue(tools: ToolSet): KeywordCatalogue {
    return new KeywordCatalogue(tools.tools);
  }
}

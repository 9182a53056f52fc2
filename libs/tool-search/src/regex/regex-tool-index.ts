import { CatalogueToolIndex } from '../tool-index/catalogue-tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import { RegexCatalogue } from './regex-catalogue.js';
import { isValidPattern, toKeywordPattern } from './regex-query.js';

/**
 * Finds tools by words in their names and descriptions, also inside of other words; and by patterns, such as `^github_.*issue`,
 * where the query is one. Patterns are those of RE2: none of them can hang.
 */
export class RegexToolIndex extends CatalogueToolIndex {
  override readonly searchType = 'regex';

  constructor() {
    // A tool with one match of many words is a hit: nothing is cut off.
    super({ minScoreThreshold: 0 });
  }

  /** The words of a query as a pattern. Override it to read queries in another way. */
  convertQueryToRegexPattern(query: string): string {
    return toKeywordPattern(query);
  }

  /** Whether a pattern can be searched for. */
  isValidPattern(pattern: unknown): boolean {
    return isValidPattern(pattern);
  }

  protected override createCatalogue(tools: ToolSet): RegexCatalogue {
    return new RegexCatalogue(tools.tools, (query) => this.convertQueryToRegexPattern(query));
  }
}

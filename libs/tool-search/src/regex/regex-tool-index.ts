import { CatalogueToolIndex } from '../tool-index/catalogue-tool-index.js';
import type { ToolSet } from '../tool-index/tool-set.js';
import { RegexCatalogue } from './regex-catalogue.js';
import { isValidPattern, toKeywordPattern } from './regex-query.js';

/**
 * Finds tools by words in their names and descriptions, also inside other words. If the query is a
 * pattern, such as `^github_.*issue`, it searches for that. Patterns use RE2 syntax, so they
 * cannot hang.
 */
export class RegexToolIndex extends CatalogueToolIndex {
  override readonly searchType = 'regex';

  constructor() {
    // A tool that matches one of many words is a hit, so there is no minimum score.
    super({ minScoreThreshold: 0 });
  }

  /** Converts the words of a query to a pattern. Override it to interpret queries differently. */
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

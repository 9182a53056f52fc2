import { RE2JS } from 're2js';
import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolReference } from '../tool-index/tool-index.js';
import { toOwnPattern } from './regex-query.js';

/** The weights of a field: for the number of matches, and for the position of the first match. */
interface Weight {
  readonly match: number;
  readonly first: number;
}

const NAME: Weight = { match: 2, first: 1 };
const SUMMARY: Weight = { match: 1, first: 0.5 };
/** The number of characters of a description that are searched. */
const LONGEST_SUMMARY = 2000;

/**
 * The time limit of a search, in milliseconds. A pattern cannot hang on a single tool. But with
 * thousands of tools with long descriptions, a pattern from a model could block the process for
 * minutes.
 */
const LONGEST_SEARCH = 250;

/** How much the score of the first match decreases per character before it. */
const FALL = 0.1;

/** Searches tools by patterns in their names and descriptions. */
export class RegexCatalogue implements ToolCatalogue {
  constructor(
    private readonly tools: readonly ToolReference[],
    private readonly toKeywordPattern: (query: string) => string,
  ) {}

  search(query: CatalogueQuery): readonly ScoredTool[] {
    const own = toOwnPattern(query.query);
    const found = own === undefined ? [] : this.#match(own, query);
    // The query may only look like a pattern by accident.
    return found.length > 0 ? found : this.#match(this.toKeywordPattern(query.query), query);
  }

  #match(source: string, { accepts, onCut }: CatalogueQuery): ScoredTool[] {
    const pattern = RE2JS.compile(source);
    const matches: ScoredTool[] = [];
    const end = performance.now() + LONGEST_SEARCH;
    for (const { toolName, summary = '' } of this.tools) {
      if (accepts && !accepts(toolName)) continue;
      if (performance.now() > end) {
        onCut?.();
        break;
      }
      const score = scoreOf(pattern, toolName, NAME) + scoreOf(pattern, summary.slice(0, LONGEST_SUMMARY), SUMMARY);
      if (score > 0) matches.push({ toolName, score });
    }
    return matches.sort((a, b) => b.score - a.score);
  }
}

function scoreOf(pattern: RE2JS, text: string, { match, first }: Weight): number {
  // Most texts do not match. test() finds that out ten times as fast as find().
  if (!pattern.test(text)) return 0;
  const matcher = pattern.matcher(text);
  matcher.find();
  const start = matcher.start();
  let count = 1;
  while (matcher.find()) count++;
  return count * match + first / (1 + FALL * start);
}

import type { ToolCallback } from '@nestor-ai/core';
import type { SearchableTools } from './searchable-tools.js';
import { type ToolSearch, ToolSearchTool } from './tool-search-tool.js';

/** The maximum number of cached search tools, one for each combination of categories. */
const MAX_REMEMBERED = 100;

/** Adds the search tool to the tools of a request. */
export class SearchTools {
  readonly #byCategories = new Map<string, ToolSearchTool>();
  readonly #lists = new WeakMap<readonly ToolCallback[], readonly ToolCallback[]>();

  /**
   * @param search answers the searches
   * @param maxResults the default number of tools that a search finds
   */
  constructor(
    private readonly search: ToolSearch,
    private readonly maxResults: number,
  ) {}

  /** Returns the same list for the same tools, because the loop caches data by list. */
  withSearch({ callbacks, categories }: SearchableTools): readonly ToolCallback[] {
    let list = this.#lists.get(callbacks);
    if (!list) {
      list = Object.freeze([this.#toolFor(categories), ...callbacks]);
      if (Object.isFrozen(callbacks)) this.#lists.set(callbacks, list);
    }
    return list;
  }

  #toolFor(categories: readonly string[]): ToolSearchTool {
    const key = JSON.stringify(categories);
    let tool = this.#byCategories.get(key);
    if (!tool) {
      if (this.#byCategories.size >= MAX_REMEMBERED) this.#byCategories.clear();
      tool = new ToolSearchTool(this.search, this.maxResults, categories);
      this.#byCategories.set(key, tool);
    }
    return tool;
  }
}

import type { ToolCallback } from '@nestor-ai/core';
import type { SearchableTools } from './searchable-tools.js';
import { type ToolSearch, ToolSearchTool } from './tool-search-tool.js';

/** How many search tools are kept, one for each choice of categories. */
const MAX_REMEMBERED = 100;

/** Puts the tool that finds others before those that it finds. */
export class SearchTools {
  readonly #byCategories = new Map<string, ToolSearchTool>();
  readonly #lists = new WeakMap<readonly ToolCallback[], readonly ToolCallback[]>();

  /**
   * @param search answers the searches
   * @param maxResults how many tools a search finds unless it says how many
   */
  constructor(
    private readonly search: ToolSearch,
    private readonly maxResults: number,
  ) {}

  /** The same list for the same tools: what the loop knows of a list is kept under the list itself. */
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

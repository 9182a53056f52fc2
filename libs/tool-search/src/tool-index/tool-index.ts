import type { JsonSchema } from '@nestor-ai/core';

/** A tool in an index, or in the result of a search. */
export interface ToolReference {
  readonly toolName: string;
  /** What the tool does: the description for the model. */
  readonly summary?: string;
  /**
   * The schema of the tool's arguments. Names and descriptions of its properties are searched too.
   */
  readonly inputSchema?: JsonSchema;
  /** The category, for {@link ToolSearchRequest.categoryFilter}. */
  readonly category?: string;
  /** The names of tools that this one depends on. A search returns them together with it. */
  readonly dependsOn?: readonly string[];
  /** The relevance, set by a search: 1 for the best hit, 0 for a dependency of another tool. */
  readonly relevanceScore?: number;
}

/** A search for tools. */
export interface ToolSearchRequest {
  /** The session whose tools are searched. */
  readonly sessionId: string;
  /** The task in words, or any other query that the index supports. */
  readonly query: string;
  /** The maximum number of tools, not counting dependencies. Default: 10. */
  readonly maxResults?: number | undefined;
  /** Only returns tools of this category, ignoring case. Default: all. */
  readonly categoryFilter?: string;
  /** Aborts the search, if the index calls other services. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a search. */
export interface ToolSearchResponse {
  /** The tools, best first, followed by their dependencies. */
  readonly toolReferences: readonly ToolReference[];
  /**
   * The number of matching tools, as far as the index has searched. {@link toolReferences} are the
   * best of them.
   */
  readonly totalMatches: number;
  readonly searchMetadata: {
    /** The kind of index: `keyword`, `vector`, `regex`, `hybrid`, or your own. */
    readonly searchType: string;
    readonly query: string;
    readonly searchTimeMs: number;
    /** Whether the search took too long and stopped before it had checked all tools. */
    readonly isCut?: boolean;
  };
}

/** The default maximum number of results. */
export const DEFAULT_MAX_RESULTS = 10;

/**
 * Indexes the tools of sessions and finds those that match a query. It is also the injection
 * token: an index that the application provides replaces the built-in ones.
 */
export abstract class ToolIndex {
  /** Adds a tool to a session. Replaces a tool with the same name. Use `indexTools()` for many. */
  abstract indexTool(sessionId: string, tool: ToolReference): Promise<void> | void;

  /** Adds tools to a session. Default: calls `indexTool()` for each. */
  async indexTools(sessionId: string, tools: readonly ToolReference[]): Promise<void> {
    for (const tool of tools) await this.indexTool(sessionId, tool);
  }

  /** Replaces all tools of a session. Default: calls `clearIndex()` and `indexTools()`. */
  async replaceTools(sessionId: string, tools: readonly ToolReference[]): Promise<void> {
    await this.clearIndex(sessionId);
    await this.indexTools(sessionId, tools);
  }

  /** Searches the tools of a session. Finds nothing in an unknown session. */
  abstract search(request: ToolSearchRequest): Promise<ToolSearchResponse> | ToolSearchResponse;

  /** Removes all tools of a session. */
  abstract clearIndex(sessionId: string): Promise<void> | void;
}

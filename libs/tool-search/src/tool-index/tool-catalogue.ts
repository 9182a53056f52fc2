import type { ToolSet } from './tool-set.js';

/** A search in a catalogue. */
export interface CatalogueQuery {
  readonly query: string;
  /** The number of tools needed. */
  readonly limit: number;
  /** Decides whether a tool may be returned. Default: every tool may. */
  readonly accepts?: ((toolName: string) => boolean) | undefined;
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the search stops before it has checked all tools, because it takes too long. */
  readonly onCut?: (() => void) | undefined;
}

/** A matching tool. */
export interface ScoredTool {
  readonly toolName: string;
  /** Greater than 0. Higher is better. */
  readonly score: number;
}

/** The searchable tools of a set, which do not change. All sessions with the same tools share it. */
export interface ToolCatalogue {
  /**
   * Returns the matching tools, best first. May return more than `limit` if they are known anyway.
   */
  search(query: CatalogueQuery): Promise<readonly ScoredTool[]> | readonly ScoredTool[];
  /** Releases external resources. */
  dispose?(): Promise<void> | void;
}

/** Creates the catalogue of a set. */
export type CatalogueFactory = (tools: ToolSet) => Promise<ToolCatalogue> | ToolCatalogue;

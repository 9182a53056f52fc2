import { SharedCatalogues } from './shared-catalogues.js';
import type { ScoredTool, ToolCatalogue } from './tool-catalogue.js';
import {
  DEFAULT_MAX_RESULTS,
  ToolIndex,
  type ToolReference,
  type ToolSearchRequest,
  type ToolSearchResponse,
} from './tool-index.js';
import { ToolSet } from './tool-set.js';

/** The options of all built-in indexes. */
export interface ToolIndexOptions {
  /**
   * The minimum score of a tool relative to the best one, 0 to 1. Other tools are not returned.
   * Default: 0.25.
   */
  readonly minScoreThreshold?: number;
}

const DEFAULT_MIN_SCORE = 0.25;

const toolSets = new WeakMap<readonly ToolReference[], ToolSet>();

/**
 * An index whose sessions share data: sessions with the same tools search the same catalogue. To
 * implement your own search, extend this class and implement `createCatalogue()` and `searchType`.
 */
export abstract class CatalogueToolIndex extends ToolIndex {
  /** The value of `searchType` in {@link ToolSearchResponse.searchMetadata}. */
  abstract readonly searchType: string;
  readonly #catalogues = new SharedCatalogues((tools) => this.createCatalogue(tools));
  readonly #minScore: number;

  /** @throws RangeError when the threshold is not between 0 and 1 */
  constructor({ minScoreThreshold = DEFAULT_MIN_SCORE }: ToolIndexOptions = {}) {
    super();
    if (!(minScoreThreshold >= 0 && minScoreThreshold <= 1)) {
      throw new RangeError(`minScoreThreshold must be between 0 and 1, but is ${minScoreThreshold}.`);
    }
    this.#minScore = minScoreThreshold;
  }

  /** Creates the catalogue for a set of tools. */
  protected abstract createCatalogue(tools: ToolSet): Promise<ToolCatalogue> | ToolCatalogue;

  /** The number of catalogues. Sessions with the same tools share one. */
  get catalogueCount(): number {
    return this.#catalogues.size;
  }

  override async indexTool(sessionId: string, tool: ToolReference): Promise<void> {
    await this.indexTools(sessionId, [tool]);
  }

  override async indexTools(sessionId: string, tools: readonly ToolReference[]): Promise<void> {
    requireSessionId(sessionId);
    if (tools.length > 0) await this.#catalogues.add(sessionId, setOf(tools));
  }

  override async replaceTools(sessionId: string, tools: readonly ToolReference[]): Promise<void> {
    requireSessionId(sessionId);
    await this.#catalogues.replace(sessionId, setOf(tools));
  }

  override async clearIndex(sessionId: string): Promise<void> {
    await this.#catalogues.clear(sessionId);
  }

  override async search(request: ToolSearchRequest): Promise<ToolSearchResponse> {
    const { sessionId, query, maxResults, categoryFilter, signal } = request;
    const startedAt = performance.now();
    let isCut = false;
    const shared = await this.#catalogues.of(sessionId);
    const respond = (toolReferences: readonly ToolReference[], totalMatches: number): ToolSearchResponse => ({
      toolReferences,
      totalMatches,
      searchMetadata: {
        searchType: this.searchType,
        query,
        searchTimeMs: performance.now() - startedAt,
        ...(isCut && { isCut }),
      },
    });
    if (!shared) return respond([], 0);
    const { tools, catalogue } = shared;
    const limit = limitOf(maxResults);
    const category = categoryFilter?.trim().toLowerCase();
    const scored = await catalogue.search({
      query,
      limit,
      signal,
      onCut: () => (isCut = true),
      accepts: category ? (name) => tools.get(name)?.category?.trim().toLowerCase() === category : undefined,
    });
    const fitting = this.#fitting(scored).filter(({ toolName }) => tools.get(toolName) !== undefined);
    const hits = fitting.slice(0, limit);
    const best = hits[0]?.score ?? 1;
    const names = hits.map(({ toolName }) => toolName);
    const come = dependenciesOf(names, tools);
    return respond(
      [
        ...hits.map(({ toolName, score }) => ({ ...tools.get(toolName)!, relevanceScore: score / best })),
        ...come.map((name) => ({ ...tools.get(name)!, relevanceScore: 0 })),
      ],
      fitting.length,
    );
  }

  #fitting(scored: readonly ScoredTool[]): readonly ScoredTool[] {
    const least = (scored[0]?.score ?? 0) * this.#minScore;
    return scored.filter(({ score }) => score > 0 && score >= least);
  }
}

/** Caches the set of a frozen list, so that many sessions can use it. */
function setOf(tools: readonly ToolReference[]): ToolSet {
  let set = toolSets.get(tools);
  if (!set) {
    set = ToolSet.of(tools.map(settled));
    if (Object.isFrozen(tools) && tools.every((tool) => Object.isFrozen(tool))) toolSets.set(tools, set);
  }
  return set;
}

/** A frozen, normalized copy of the tool. Later changes by its owner have no effect. */
function settled(tool: ToolReference): ToolReference {
  const { toolName, summary, category, dependsOn } = tool;
  if (typeof toolName !== 'string' || toolName === '')
    throw new TypeError('A tool cannot be indexed without a toolName.');
  const isClean =
    typeof summary === 'string' &&
    (category === undefined || typeof category === 'string') &&
    (dependsOn === undefined || Array.isArray(dependsOn));
  if (Object.isFrozen(tool) && isClean) return tool;
  const { category: _category, dependsOn: _dependsOn, ...rest } = tool;
  return Object.freeze({
    ...rest,
    summary: typeof summary === 'string' ? summary : '',
    ...(typeof category === 'string' && { category }),
    ...(Array.isArray(dependsOn) && { dependsOn: Object.freeze(dependsOn.filter((name) => typeof name === 'string')) }),
  });
}

function limitOf(maxResults: number | undefined): number {
  return typeof maxResults !== 'number' || Number.isNaN(maxResults)
    ? DEFAULT_MAX_RESULTS
    : Math.max(1, Math.floor(maxResults));
}

function requireSessionId(sessionId: string): void {
  if (typeof sessionId !== 'string' || sessionId === '') {
    throw new TypeError('Tools are indexed for a session: sessionId cannot be empty.');
  }
}

/** The maximum number of dependencies in the result of a search. */
const MAX_DEPENDENCIES = 30;

/**
 * The direct and indirect dependencies of tools: those of the best hit first, each once.
 *
 * @param names the hits, best first
 */
function dependenciesOf(names: readonly string[], tools: ToolSet): string[] {
  const seen = new Set(names);
  const found: string[] = [];
  for (const name of names) {
    const waiting = [...(tools.get(name)?.dependsOn ?? [])];
    for (let next = waiting.shift(); next !== undefined && found.length < MAX_DEPENDENCIES; next = waiting.shift()) {
      const tool = tools.get(next);
      if (!tool || seen.has(next)) continue;
      seen.add(next);
      found.push(next);
      waiting.push(...(tool.dependsOn ?? []));
    }
  }
  return found;
}

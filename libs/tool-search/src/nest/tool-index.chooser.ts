import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { EmbeddingModel } from '@nestor-ai/core';
import { ToolSearchSessionRepository } from '../advisor/tool-search-session.repository.js';
import { HybridToolIndex } from '../hybrid/hybrid-tool-index.js';
import { KeywordToolIndex } from '../keyword/keyword-tool-index.js';
import { RegexToolIndex } from '../regex/regex-tool-index.js';
import { ToolIndex } from '../tool-index/tool-index.js';
import { VectorStore } from '../vector/vector-store.js';
import { type VectorSource, VectorToolIndex } from '../vector/vector-tool-index.js';
import type { ToolSearchProperties } from './tool-search-properties.js';

/**
 * Chooses the index of a client: the one that the application provides, otherwise by the
 * properties and available providers.
 */
@Injectable()
export class ToolIndexChooser {
  /** Clients with the same kind of search share an index, and with it the data of common tools. */
  readonly #made = new Map<string, ToolIndex>();

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Returns the problems of the chosen index.
   *
   * @param key the property of the index type, for the message
   */
  check({ toolIndexType }: ToolSearchProperties, key: string): readonly string[] {
    const index = findProvided<ToolIndex>(this.discovery, ToolIndex);
    if (index.problem) return [index.problem];
    if (index.instance) return typeof index.instance.search === 'function' ? [] : [NO_INDEX];
    if (toolIndexType !== undefined && !NEEDS_VECTORS.has(toolIndexType)) return [];
    const vectors = this.#findVectors();
    if (vectors.problem) return [`${vectors.problem} Or set ${key} to keyword.`];
    if (vectors.instance) return problemsOf(vectors.instance);
    if (toolIndexType === undefined) return [];
    return [
      `${key} is ${toolIndexType}, but the application provides neither an EmbeddingModel nor a VectorStore. Provide one, such as ` +
        '{ provide: EmbeddingModel, useValue: new AiSdkEmbeddingModel(…) } of @nestor-ai/ai-sdk, or set the property to keyword.',
    ];
  }

  /** The index of a client. Called after {@link check} found no problems. */
  indexOf({ toolIndexType, keyword: { minScoreThreshold } }: ToolSearchProperties): ToolIndex {
    const { instance } = findProvided<ToolIndex>(this.discovery, ToolIndex);
    if (instance) return instance;
    const vectors = this.#findVectors().instance;
    const type = toolIndexType ?? (vectors ? 'hybrid' : 'keyword');
    const key = `${type} ${minScoreThreshold}`;
    let index = this.#made.get(key);
    if (!index)
      this.#made.set(
        key,
        (index = make(type, vectors!, { ...(minScoreThreshold !== undefined && { minScoreThreshold }) })),
      );
    return index;
  }

  /** Where the application stores sessions. Undefined if it does not. */
  get sessionRepository(): ToolSearchSessionRepository | undefined {
    return findProvided<ToolSearchSessionRepository>(this.discovery, ToolSearchSessionRepository).instance;
  }

  #findVectors(): { readonly instance?: VectorSource; readonly problem?: string } {
    const store = findProvided<VectorStore>(this.discovery, VectorStore);
    if (store.problem) return { problem: store.problem };
    if (store.instance) return { instance: { vectorStore: store.instance } };
    const model = findProvided<EmbeddingModel>(this.discovery, EmbeddingModel);
    if (model.problem) return { problem: model.problem };
    return model.instance ? { instance: { embeddingModel: model.instance } } : {};
  }
}

const NEEDS_VECTORS = new Set(['vector', 'hybrid']);

/** The problems that an embedding model reports. */
function problemsOf({ embeddingModel }: VectorSource): readonly string[] {
  try {
    embeddingModel?.verify?.();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

const NO_INDEX = 'The provided ToolIndex has no search(). Extend ToolIndex.';

function make(
  type: NonNullable<ToolSearchProperties['toolIndexType']>,
  vectors: VectorSource,
  options: { readonly minScoreThreshold?: number },
): ToolIndex {
  switch (type) {
    case 'vector':
      return new VectorToolIndex(vectors);
    case 'regex':
      return new RegexToolIndex();
    case 'hybrid':
      return new HybridToolIndex({ ...vectors, ...options });
    case 'keyword':
    case 'lucene':
      return new KeywordToolIndex(options);
  }
}

/** The application's provider for a token. */
interface Provided<T> {
  readonly instance?: T;
  /** The reason why it cannot be used. */
  readonly problem?: string;
}

/** Searches all modules, so that the application can provide it anywhere. */
function findProvided<T>(discovery: DiscoveryService, token: { readonly name: string }): Provided<T> {
  for (const wrapper of discovery.getProviders()) {
    if (wrapper.token !== token) continue;
    if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient) {
      return {
        problem:
          `The ${token.name} in ${wrapper.host?.name} is request-scoped or transient, or depends on a provider that is, but one instance ` +
          'serves all requests. Make it and its dependencies singletons.',
      };
    }
    const instance: unknown = wrapper.instance;
    if (instance !== undefined && instance !== null) return { instance: instance as T };
  }
  return {};
}

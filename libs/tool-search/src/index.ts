/** @module @nestor-ai/tool-search */
// Exported here too, because users look for it next to VectorStore.
export { type Embedding, EmbeddingModel } from '@nestor-ai/core';
export {
  DEFAULT_SYSTEM_MESSAGE_SUFFIX,
  ToolSearchToolCallingAdvisor,
  type ToolSearchToolCallingAdvisorOptions,
} from './advisor/tool-search-tool-calling-advisor.js';
export { ToolSearchSessionRepository } from './advisor/tool-search-session.repository.js';
export { TOOL_SEARCH_TOOL_NAME } from './advisor/found-names.js';
export {
  AlwaysEvictStrategy,
  CompositeEvictionStrategy,
  LruEvictionStrategy,
  NeverEvictStrategy,
  type ToolIndexEvictionStrategy,
  TtlEvictionStrategy,
} from './eviction/tool-index-eviction-strategy.js';
export { CatalogueToolIndex, type ToolIndexOptions } from './tool-index/catalogue-tool-index.js';
export type { CatalogueQuery, ScoredTool, ToolCatalogue } from './tool-index/tool-catalogue.js';
export {
  ToolIndex,
  type ToolReference,
  type ToolSearchRequest,
  type ToolSearchResponse,
} from './tool-index/tool-index.js';
export { ToolSet } from './tool-index/tool-set.js';
export { HybridToolIndex, type HybridToolIndexOptions } from './hybrid/hybrid-tool-index.js';
export { KeywordToolIndex } from './keyword/keyword-tool-index.js';
export { ToolSearchModule } from './nest/tool-search.module.js';
export type { ToolSearchModuleExtras, ToolSearchModuleOptions } from './nest/tool-search.module-definition.js';
export { ToolSearchAdvisors } from './nest/tool-search-advisors.js';
export type { ToolSearchProperties, ToolSearchPropertiesInit } from './nest/tool-search-properties.js';
export { RegexToolIndex } from './regex/regex-tool-index.js';
export { SimpleVectorStore, type SimpleVectorStoreOptions } from './vector/simple-vector-store.js';
export { type VectorDocument, type VectorMatch, type VectorSearchRequest, VectorStore } from './vector/vector-store.js';
export { type VectorSource, VectorToolIndex } from './vector/vector-tool-index.js';

/** @module @nestor-ai/postgres/tool-search */
export { PostgresToolSearchSessionRepository } from './postgres-tool-search-session.repository.js';
export { PostgresVectorStore } from './postgres-vector.store.js';

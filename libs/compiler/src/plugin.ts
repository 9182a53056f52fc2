/** @module @nestor-ai/compiler */
export { before } from './transformer/before.js';
export { ReadonlyVisitor, type ReadonlyVisitorOptions } from './metadata/readonly-visitor.js';
export type { PluginOptions } from './plugin-options.js';

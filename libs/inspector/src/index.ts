/** @module @nestor-ai/inspector */
export { AiInspectorModule } from './ai-inspector.module.js';
export type { AiInspectorModuleOptions, TestedModule } from './inspector.options.js';

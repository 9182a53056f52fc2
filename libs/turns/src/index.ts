/**
 * Turns that run independently of who reads them: their routes, and results that come later.
 *
 * @module @nestor-ai/turns
 */
export { AiTurnsModule, type AiTurnsModuleOptions } from './ai-turns.module.js';
export { DeferredResultException, DeferredResults } from './deferred-results.js';

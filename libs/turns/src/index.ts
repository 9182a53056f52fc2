/**
 * Routes for turns that run independently of who reads them.
 *
 * @module @nestor-ai/turns
 */
export { AiTurnsModule, type AiTurnsModuleOptions } from './ai-turns.module.js';

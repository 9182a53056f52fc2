/** @module @nestor-ai/core/event-emitter */
export {
  type HookOptions,
  OnToolCall,
  OnToolError,
  OnToolProgress,
  OnToolResult,
  OnTurnEnd,
  OnTurnStart,
} from './hooks.decorator.js';

/** @module @nestor-ai/event-emitter */
export {
  type HookOptions,
  OnToolCall,
  OnToolError,
  OnToolProgress,
  OnToolResult,
  OnTurnEnd,
  OnTurnStart,
} from './hooks.decorator.js';

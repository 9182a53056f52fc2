/** @module @nestor-ai/event-emitter */
export { AiEventEmitterModule } from './ai-event-emitter.module.js';
export {
  type HookOptions,
  OnToolCall,
  OnToolError,
  OnToolProgress,
  OnToolResult,
  OnTurnEnd,
  OnTurnStart,
} from './hooks.decorator.js';

/** @module @nestor-ai/bullmq */
export { BullAiModule } from './nest/bull-ai.module.js';
export type {
  BullAiModuleAsyncOptions,
  BullAiModuleExtras,
  BullAiOptionsFactory,
} from './nest/bull-ai.module-definition.js';
export type { BullAiModuleOptions } from './nest/bull-ai.options.js';
export { RedisToolRateLimits } from './limits/redis-tool-rate-limits.js';
export { RedisConversationLocks } from './locks/redis-conversation-locks.js';
export { RedisException } from './redis/redis.exception.js';
export { RedisToolResultStore } from './results/redis-tool-result.store.js';
export {
  ScheduledTurn,
  type ScheduledTurnOptions,
  type ScheduledTurnTick,
} from './schedules/scheduled-turn.decorator.js';
export { BullTurnQueue } from './turns/bull-turn.queue.js';

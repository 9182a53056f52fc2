/** @module @nestor-ai/advisors */
export type { ExpectedUsage } from './budget/expected-usage.js';
export { costOf } from './budget/prices.js';
export type {
  LastingBudget,
  ModelPrice,
  TurnBudget,
  TurnRecord,
  UsageBudgetAdvisorOptions,
} from './budget/usage-budget-advisor.options.js';
export { UsageBudgetAdvisor } from './budget/usage-budget-advisor.js';
export {
  type Budget,
  InMemoryUsageLedger,
  type SettleSpending,
  type Spending,
  UsageLedger,
} from './budget/usage-ledger.js';
export {
  type ResponseCache,
  ResponseCacheAdvisor,
  type ResponseCacheAdvisorOptions,
} from './cache/response-cache-advisor.js';
export { ContextEditingAdvisor, type ContextEditingAdvisorOptions } from './context/context-editing-advisor.js';
export {
  ConversationSearchAdvisor,
  type ConversationSearchAdvisorOptions,
} from './recall/conversation-search-advisor.js';
export { SummarizingChatMemory, type SummarizingChatMemoryOptions } from './memory/summarizing-chat-memory.js';
export { SimpleLoggerAdvisor, type SimpleLoggerAdvisorOptions } from './logger/simple-logger-advisor.js';
export { SafeGuardAdvisor, type SafeGuardAdvisorOptions } from './safeguard/safe-guard-advisor.js';

import { Ordered } from './ordered.js';

/**
 * The default orders of this package's advisors. docs/reference/advisors.md explains them in the
 * same order.
 */
export const ADVISOR_ORDERS = Object.freeze({
  MessageChatMemoryAdvisor: Ordered.HIGHEST_PRECEDENCE + 200,
  ToolCallingAdvisor: Ordered.HIGHEST_PRECEDENCE + 300,
  UsageBudgetAdvisor: Ordered.HIGHEST_PRECEDENCE + 350,
  SafeGuardAdvisor: 0,
  SimpleLoggerAdvisor: 0,
  StructuredOutputValidationAdvisor: Ordered.LOWEST_PRECEDENCE - 2000,
  ResponseCacheAdvisor: Ordered.LOWEST_PRECEDENCE - 1200,
  FallbackModelAdvisor: Ordered.LOWEST_PRECEDENCE - 1100,
  ModelRetryAdvisor: Ordered.LOWEST_PRECEDENCE - 1000,
  ModelTimeoutAdvisor: Ordered.LOWEST_PRECEDENCE - 900,
  ChatModelAdvisor: Ordered.LOWEST_PRECEDENCE,
});

import { Ordered } from './ordered.js';

/**
 * The default orders of this package's advisors. docs/reference/advisors.md explains them and
 * those of @nestor-ai/advisors.
 */
export const ADVISOR_ORDERS = Object.freeze({
  MessageChatMemoryAdvisor: Ordered.HIGHEST_PRECEDENCE + 200,
  ToolCallingAdvisor: Ordered.HIGHEST_PRECEDENCE + 300,
  StructuredOutputValidationAdvisor: Ordered.LOWEST_PRECEDENCE - 2000,
  FallbackModelAdvisor: Ordered.LOWEST_PRECEDENCE - 1100,
  ModelTimeoutAdvisor: Ordered.LOWEST_PRECEDENCE - 900,
  ChatModelAdvisor: Ordered.LOWEST_PRECEDENCE,
});

export {
  Advisor,
  type CallAdvisor,
  type CallAdvisorChain,
  MemoryAdvisor,
  type StreamAdvisor,
  type StreamAdvisorChain,
  ToolAdvisor,
} from './advisor.js';
export { DefaultAdvisorChain } from './advisor-chain.js';
export { AdvisorParams, ChatClientContextKeys } from './advisor-params.js';
export { AdvisorSpec } from './advisor-collector.js';
export { AroundAdvisor } from './around-advisor.js';
export { BaseAdvisor } from './base-advisor.js';
export type { AdvisorContext, ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
export { ChatClientMessageAggregator } from './chat-client-message-aggregator.js';
export { ChatModelAdvisor } from './chat-model-advisor.js';
export type { HandleOptions, NextHandler } from './next-handler.js';
export { Ordered } from './ordered.js';
export { ToolCallingAdvisor } from './tool-calling-advisor.js';
export { TOOL_CALLING_ADVISOR_OPTIONS, type ToolCallingAdvisorOptions } from './tool-calling-advisor.options.js';
export { ToolExecutionEligibilityChecker } from './tool-execution-eligibility-checker.js';
export { EntityOutputConverter, type EntityType, type ValueOf } from './structured-output/entity-output-converter.js';
export { ListOutputConverter } from './structured-output/list-output-converter.js';
export { StructuredOutputConverter } from './structured-output/structured-output-converter.js';
export { StructuredOutputException } from './structured-output/structured-output.exception.js';
export {
  StructuredOutputValidationAdvisor,
  type StructuredOutputValidationAdvisorOptions,
} from './structured-output/structured-output-validation-advisor.js';
export { ConversationBusyException } from './conversation-busy.exception.js';
export { ConversationLockTimeoutException } from './conversation-lock-timeout.exception.js';
export { ApprovalPolicy, type TurnAccess, type TurnAction } from './approvals/approval-policy.js';
export { ApprovalTokens } from './approvals/approval-tokens.js';
export {
  MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
  MessageChatMemoryAdvisor,
  type MessageChatMemoryAdvisorOptions,
} from './message-chat-memory-advisor.js';
export {
  type FallbackModel,
  FallbackModelAdvisor,
  type FallbackModelAdvisorOptions,
} from './fallback-model-advisor.js';
export { ModelTimeoutAdvisor, type ModelTimeoutAdvisorOptions } from './model-timeout-advisor.js';

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
export { AdvisorSpec } from './advisor-spec.js';
export { BaseAdvisor } from './base-advisor.js';
export type { AdvisorContext, ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
export { ChatClientMessageAggregator } from './chat-client-message-aggregator.js';
export { ChatModelAdvisor } from './chat-model-advisor.js';
export { Ordered } from './ordered.js';
export { ToolCallingAdvisor } from './tool-calling-advisor.js';
export { TOOL_CALLING_ADVISOR_OPTIONS, type ToolCallingAdvisorOptions } from './tool-calling-advisor.options.js';
export {
  DefaultToolExecutionEligibilityChecker,
  ToolExecutionEligibilityChecker,
} from './tool-execution-eligibility-checker.js';

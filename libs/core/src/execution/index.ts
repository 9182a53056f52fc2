export { DefaultToolCallingManager } from './default-tool-calling-manager.js';
export { TOOL_CALLING_MANAGER_OPTIONS, type ToolCallingManagerOptions } from './tool-calling-manager.options.js';
export { ToolCallLimitExceededException } from './tool-call-limit-exceeded.exception.js';
export {
  DelegatingToolCallbackResolver,
  StaticToolCallbackResolver,
  ToolCallbackResolver,
} from './tool-callback-resolver.js';
export { ToolCallingManager } from './tool-calling-manager.js';
export {
  DefaultToolExecutionExceptionProcessor,
  TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS,
  ToolExecutionExceptionProcessor,
  type ToolExecutionExceptionProcessorOptions,
} from './tool-execution-exception-processor.js';
export { ToolExecutionResult } from './tool-execution-result.js';
export { ToolBusyException } from './concurrency-keys.js';
export { ToolTimeoutException } from './with-timeout.js';
export { type BrokenArguments, JsonRepair, ToolArgumentRepair } from './tool-argument-repair.js';
export { ToolRateLimitException } from './tool-rate-limit.js';
export { type ToolRateLimiter, ToolRateLimits } from './tool-rate-limits.js';
export { type ToolResultClaim, ToolResultStore } from './tool-result-store.js';
export { UntrustedContentException } from './trust/untrusted-content.exception.js';

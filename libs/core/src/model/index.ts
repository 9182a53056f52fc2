export { AiShutdownException } from './ai-shutdown.exception.js';
export { untilAborted } from './aborts.js';
export {
  type ChatOptions,
  mergeChatOptions,
  offeredToolDefinitions,
  type PromptCaching,
  type ReasoningEffort,
  type ToolChoice,
} from './chat-options.js';
export type { CallApproval } from './call-approval.js';
export { type ContentPlace, ContentRedactor } from './content-redactor.js';
export { ChatModel } from './chat-model.js';
export { ChatModelException, type ChatModelFailure } from './chat-model.exception.js';
export { ModelRouter } from './model-router.js';
export { ModelTimeoutException } from './model-timeout.exception.js';
export {
  ChatResponse,
  type ChatResponseMetadata,
  type Generation,
  type GenerationMetadata,
  type ModelWarning,
  type ToolInputDelta,
} from './chat-response.js';
export {
  type ContentPart,
  describeContentPart,
  type FilePart,
  type ImagePart,
  type Media,
  type TextPart,
} from './content-part.js';
export { type Embedding, EmbeddingModel, type EmbeddingOptions } from './embedding-model.js';
export { type AnyFinishReason, FinishReason } from './finish-reason.js';
export { estimateTokens, type JsonSchema } from '@nestor-ai/schema';
export { fluentBuilder, type FluentBuilder } from './fluent-builder.js';
export { repairHistory } from './repair-history.js';
export { MessageAggregator } from './message-aggregator.js';
export {
  AssistantMessage,
  type AssistantMessageInit,
  type Message,
  type MessageInput,
  type MessageMetadata,
  type ProviderApproval,
  SystemMessage,
  type ToolCall,
  type ToolResponse,
  ToolResponseMessage,
  UserMessage,
} from './messages.js';
export { Prompt } from './prompt.js';
export type { ProviderOptions } from './provider-options.js';
export { providerTool, type ProviderTool } from './provider-tool.js';
export { type Citation, mergeProviderToolCalls, type ProviderToolCall, type Source } from './provider-tool-call.js';
export { LOOP_TOOL, type RegisteredTools, ToolCallback, ToolCallbackProvider } from './tool-callback.js';
export { SerialQueue } from './serial-queue.js';
export { ToolCallingChatOptions } from './tool-calling-chat-options.js';
export { ToolContext } from './tool-context.js';
export { ToolDefinition, type ToolModelOptions } from './tool-definition.js';
export type { ToolApproval } from './tool-approval.js';
export { ToolApprovalException } from './tool-approval.exception.js';
export {
  isInputRequired,
  type ShownInputRequest,
  type ToolInputRequest,
  ToolInputRequiredException,
  type ToolUserInput,
} from './tool-input-request.js';
export type { PendingInput, PendingInputs } from './pending-input.js';
export { ToolMetadata } from './tool-metadata.js';
export type { ToolEffect, ToolLabels } from './tool-labels.js';
export type { ToolPolicies, ToolRateLimit, ToolRetry } from './tool-policies.js';
export type { ToolUi } from './tool-ui.js';
export type { UiSettings } from './ui-settings.js';
export { ToolResult } from './tool-result.js';
export { Turn } from './turn.js';
export { RequestServices, type ServiceKey, serviceKey } from './request-services.js';
export { servicesOf } from './scoped-options.js';
export { errorTypeOf } from './error-type.js';
export type { ToolCallAnswer, ToolCallEnd, ToolCallOutcome } from './tool-call-outcome.js';
export { TurnPrincipal } from './turn-principal.js';
export type { AskedModel, ToolCallDecision, ToolCallRun, TurnObserver } from './turn-observer.js';
export { TurnStop } from './turn-stop.js';
export type { TurnOutcome } from './turn-ending.js';
export type { ToolCallEvent, ToolOutcomeEvent, ToolProgressEvent, TurnEvent } from './turn-event.js';
export { asUntrusted } from './untrusted.js';
export { addUsage, type Usage } from './usage.js';

export type { ToolCallDisplay } from './browser-view.js';
export { ChatClient, ChatClientBuilder } from './chat-client.js';
export { ChatClientCustomizer } from './chat-client-customizer.js';
export { ChatClientRequestSpec } from './chat-client-request.builder.js';
export type { TurnWorkerFacts } from './turn-worker-facts.js';
export type { ChatClientSettings, ToolSource } from './chat-client-settings.js';
export { EmptyPromptException } from './empty-prompt.exception.js';
export { EntitySpec } from './entity-options.js';
export type { MessageReading, MessageSource } from './message-source.js';
export type { HeartbeatOptions } from './heartbeat.js';
export type { PartialEntity } from './growing-entity.js';
export type { TemplateRenderer } from './prompt-template.js';
export { PromptSystemSpec, PromptUserSpec } from './prompt-text.js';
export type {
  FileEvent,
  ModelEvent,
  ProviderToolCallEvent,
  ProviderToolResultEvent,
  SourceEvent,
  ToolInputDeltaEvent,
} from './model-events.js';
export type { ChatClientEvent, FinishEvent, ReasoningEvent, TextEvent, UsageEvent } from './response-events.js';
export { CallResponseSpec, type EventsOptions, type ResponseEntity, StreamResponseSpec } from './response.builders.js';
export { ResponseStream } from './response-stream.js';
export { type ToolCriteria, type ToolQuery, toolsWhere } from './tool-query.js';
export { type SseOptions, toSse } from './to-sse.js';
export { fromUIMessages, type UIConversation, type UIMessageInput } from './ui/from-ui-messages.js';
export {
  toUIMessageStream,
  toUIMessageStreamResponse,
  type UIMessageStreamOptions,
} from './ui/to-ui-message-stream.js';
export type { UIFinishReason, UIMessageChunk, UIToolInputRequest } from './ui/ui-message-chunk.js';
export { type UIMessagesOptions, withUIMessages } from './ui/with-ui-messages.js';
export { ClientRuntime } from './client-runtime.js';
export {
  type OutsideAnswer,
  type OutsideCall,
  type OutsideCaller,
  type OutsideDecision,
  ToolCaller,
  type ToolCallerOptions,
} from './tool-caller.js';
export { ToolCatalog } from './tool-catalog.js';
export { DeferredResultException, DeferredResults } from './deferred-results.js';
export type { QueuedRequest } from './queued-request.js';
export { type EnqueueOptions, TurnQueue, type TurnQueueOptions } from './turn-queue.js';
export type {
  NumberedRecordedEvent,
  RecordedEvent,
  RestartEvent,
  TurnErrorEvent,
} from './turn-events/recorded-event.js';
export type { TurnEventReader } from './turn-events/turn-event-reader.js';
export {
  type RecordOptions,
  type RecordedRequest,
  type TurnEventsOptions,
  type TurnMessageOptions,
  TurnStreams,
} from './turn-events/turn-streams.js';
export type { PublicEvent } from './public-events.js';

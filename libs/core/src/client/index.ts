export type { ToolCallDisplay } from './browser-view.js';
export { ChatClient, ChatClientBuilder } from './chat-client.js';
export { ChatClientCustomizer } from './chat-client-customizer.js';
export { ChatClientRequestSpec } from './chat-client-request.builder.js';
export type { MessageReading, MessageSource, ToolSource } from './chat-client-settings.js';
export { EmptyPromptException } from './empty-prompt.exception.js';
export { EntitySpec } from './entity-options.js';
export type { PartialEntity } from './growing-entity.js';
export { PromptSystemSpec, PromptUserSpec } from './prompt-text.js';
export type {
  FileEvent,
  ProviderToolCallEvent,
  ProviderToolResultEvent,
  SourceEvent,
  ToolInputDeltaEvent,
} from './model-events.js';
export type { ChatClientEvent, FinishEvent, ReasoningEvent, TextEvent, UsageEvent } from './response-events.js';
export { CallResponseSpec, type ResponseEntity, StreamResponseSpec } from './response.builders.js';
export { ResponseStream } from './response-stream.js';
export { type ToolQuery, toolsWhere } from './tool-query.js';
export { toSse } from './to-sse.js';
export { ClientRuntime } from './client-runtime.js';
export {
  type OutsideAnswer,
  type OutsideCall,
  type OutsideCaller,
  type OutsideDecision,
  ToolCaller,
} from './tool-caller.js';
export { ToolCatalog } from './tool-catalog.js';
export type { EnqueueOptions, TurnToContinue } from './stored-turns.js';
export type { PublicEvent } from './public-events.js';

export { AiModule } from './ai.module.js';
export type { AiModuleAsyncOptions, AiModuleOptions, AiOptionsFactory } from './ai.module-definition.js';
export { AiBootstrapException } from './bootstrap-problems.js';
export {
  DEFAULT_CHAT_CLIENT,
  getChatClientToken,
  InjectChatClient,
} from './decorators/inject-chat-client.decorator.js';
export { getChatModelToken, InjectChatModel } from './decorators/inject-chat-model.decorator.js';
export type { NamedClient } from './clients/named-client.js';
export { ChatClients } from './clients/chat-clients.js';
export { SuspendedTurns } from './clients/suspended-turns.js';
export { ToolCallers } from './clients/tool-callers.js';
export { AiExtension, type ExtensionContext } from './extensions/ai-extension.js';
export { RegisterAdvisor } from './decorators/register-advisor.decorator.js';
export type { AiEvent, AiEventOf, AiEventOrigin, TurnEndEvent } from './events/ai-event.js';
export { AiEvents } from './events/ai-events.js';
export { AiExceptionFilter } from './filters/ai-exception.filter.js';
export { ProviderToolCallbackResolver } from './discovery/provider-tool-callback.resolver.js';
export type { ToolRegistration } from './discovery/tool-registration.js';
export {
  type ToolProviderFault,
  type ToolProviderProblem,
  ToolProviderStatus,
} from './discovery/tool-provider-status.js';
export { ToolRegistry } from './discovery/tool.registry.js';
export type { PluginMetadata } from './plugin-metadata/plugin-metadata.js';
export { AiToolExecutionContext } from './invocation/ai-tool-execution-context.js';
export { ENDPOINT_GUARD } from './invocation/global-enhancers.js';
export { AiProperties, MODEL_PROPERTIES } from './properties/ai-properties.js';
export type { KeyPart } from './properties/property-spelling.js';
export { namesUnder } from './properties/names-under.js';
export { durationProperty } from './properties/duration-types.js';
export { type Pairs, pairsProperty, secretProperty } from './properties/pairs-property.js';
export {
  booleanProperty,
  choiceProperty,
  type DeepPartial,
  integerProperty,
  listOfProperty,
  listProperty,
  numberProperty,
  orderProperty,
  type PropertyType,
  type ResolvedProperties,
  textProperty,
} from './properties/property-types.js';
export { type PropertySource, readProperties } from './properties/read-properties.js';
export { type HttpRequest, type HttpResponse, nodeResponseOf } from './http-exchange.js';
export { allowsAccess } from '../advisor/approvals/approval-policy.js';

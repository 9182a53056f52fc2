/** @module @nestor-ai/mcp */
export type { McpClientModuleOptions, McpServerConnection } from './client/mcp-client.options.js';
export type { McpServerAuth, McpServerModuleExtras, McpServerModuleOptions } from './server/mcp-server.options.js';
export type { McpCaller } from './server/mcp-caller.js';
export { McpFeature } from './server/mcp-feature.js';
export {
  type McpCache,
  type McpFixedResourceOptions,
  type McpListedResource,
  McpResource,
  type McpResourceAnnotations,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
} from './server/resources/mcp-resource.decorator.js';
export type { McpResourceContent } from './server/resources/resource-contents.js';
export { McpPrompt, type McpPromptOptions } from './server/prompts/mcp-prompt.decorator.js';
export type { McpPromptResult } from './server/prompts/prompt-messages.js';
export type { McpCompletion, McpCompletions } from './server/completion/completions.js';
export type { McpMethodPolicies } from './server/calls/method-policies.js';
export { McpServerModule } from './server/mcp-server.module.js';
export type { McpServerModuleAsyncOptions, McpServerOptionsFactory } from './server/mcp-server.module-definition.js';
export { McpNotifier } from './server/mcp-notifier.js';
export { McpStdioServer, type McpStdioOptions } from './server/stdio/mcp-stdio-server.js';
export { serveMcpStdio, type ServeMcpStdioOptions } from './server/stdio/serve-mcp-stdio.js';
export { McpClientModule } from './client/mcp-client.module.js';
export type {
  McpClientModuleAsyncOptions,
  McpClientModuleExtras,
  McpClientOptionsFactory,
} from './client/mcp-client.module-definition.js';
export { McpConnectionException } from './client/connection/mcp-connection.exception.js';
export { type ElicitationHandler, type McpSession, McpSessions } from './client/connection/mcp-session.js';
export type { McpServerStatus } from './client/connection/server-state.js';
export { type McpAuthProvider, type McpCredential, McpCredentials } from './client/credentials/mcp-credentials.js';
export { McpSignIn } from './client/credentials/mcp-sign-in.js';
export { type McpHealth, McpHealthIndicator } from './client/mcp-health.indicator.js';
export { type McpAccess, type McpReadResource, McpServers } from './client/mcp-servers.js';
export { McpRequestException } from './client/mcp-request.exception.js';
export type { McpProgress } from './client/tools/call-progress.js';
export type { McpToolMetadata } from './client/tools/mcp-tool-callback.js';
export { McpToolCallbackProvider } from './client/tools/mcp-tool-callback.provider.js';
export {
  type McpClientInput,
  mcpInputOf,
  McpInputRequiredException,
  type McpInputRequiredInit,
} from './server/input/mcp-input-required.exception.js';

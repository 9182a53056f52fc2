export { ChatClient, ChatClientBuilder } from './chat-client.js';
export { ChatClientRequestSpec } from './chat-client-request-spec.js';
export type { ChatClientEnvironment, ChatClientSettings, ToolSource } from './chat-client-settings.js';
export { PromptSystemSpec, PromptUserSpec } from './prompt-text-spec.js';
export { CallResponseSpec, StreamResponseSpec } from './response-specs.js';

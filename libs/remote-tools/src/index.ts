/** @module @nestor-ai/remote-tools */
export { RemoteCallException } from './client/remote-call.exception.js';
export { RemoteToolException } from './client/remote-tool.exception.js';
export { RemoteToolCallbackProvider } from './client/remote-tool-callback.provider.js';
export { RemoteToolsModule } from './client/remote-tools.module.js';
export type {
  RemoteToolsModuleAsyncOptions,
  RemoteToolsOptionsFactory,
} from './client/remote-tools.module-definition.js';
export type { RemoteToolsModuleExtras, RemoteToolsModuleOptions } from './client/remote-tools.options.js';
export type { RemoteToolMetadata } from './remote-tool-metadata.js';
export { RemoteCaller, type RemoteUser } from './service/remote-caller.js';
export { RemoteToolServiceModule } from './service/remote-tool-service.module.js';
export type { RemoteToolServiceModuleAsyncOptions } from './service/remote-tool-service.module-definition.js';
export type {
  RemoteToolServiceModuleExtras,
  RemoteToolServiceModuleOptions,
} from './service/remote-tool-service.options.js';
export type { EnvelopeOptions } from './wire/envelopes.js';

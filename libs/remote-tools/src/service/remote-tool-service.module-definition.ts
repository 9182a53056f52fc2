import { ConfigurableModuleBuilder } from '@nestjs/common';
import { DEFAULT_NAMESPACE } from '../wire/messages.js';
import type { RemoteToolServiceModuleExtras, RemoteToolServiceModuleOptions } from './remote-tool-service.options.js';

const DEFAULT_EXTRAS: Required<RemoteToolServiceModuleExtras> = { service: '', namespace: DEFAULT_NAMESPACE };

export const {
  ConfigurableModuleClass: ConfigurableRemoteToolServiceModule,
  MODULE_OPTIONS_TOKEN: REMOTE_TOOL_SERVICE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<RemoteToolServiceModuleOptions>({ moduleName: 'RemoteToolService' })
  .setExtras<RemoteToolServiceModuleExtras>(DEFAULT_EXTRAS)
  .build();

/** The options of `RemoteToolServiceModule.registerAsync()`. */
export type RemoteToolServiceModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

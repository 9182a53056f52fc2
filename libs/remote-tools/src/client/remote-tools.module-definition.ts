import { ConfigurableModuleBuilder, type DynamicModule } from '@nestjs/common';
import type { RemoteToolsModuleExtras, RemoteToolsModuleOptions } from './remote-tools.options.js';

const DEFAULT_EXTRAS: Required<RemoteToolsModuleExtras> = { imports: [] };

export const {
  ConfigurableModuleClass: ConfigurableRemoteToolsModule,
  MODULE_OPTIONS_TOKEN: REMOTE_TOOLS_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<RemoteToolsModuleOptions>({ moduleName: 'RemoteTools' })
  .setExtras<RemoteToolsModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
  }))
  .build();

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface RemoteToolsOptionsFactory {
  create(): RemoteToolsModuleOptions | Promise<RemoteToolsModuleOptions>;
}

/** The options of `RemoteToolsModule.registerAsync()`. */
export type RemoteToolsModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

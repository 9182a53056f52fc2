import { ConfigurableModuleBuilder, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { McpClientModuleOptions } from './mcp-client.options.js';

/** Further options of `forRoot()` and `forRootAsync()`. */
export interface McpClientModuleExtras {
  /** Whether all modules can inject what the module provides. Default: true. */
  isGlobal?: boolean;
  /** Modules that export the dependencies of this module, such as those of your `McpCredentials`. */
  imports?: NonNullable<ModuleMetadata['imports']>;
  /**
   * Providers that replace those of the module, such as
   * `{ provide: McpCredentials, useClass: TenantCredentials }`.
   */
  providers?: NonNullable<ModuleMetadata['providers']>;
}

const DEFAULT_EXTRAS: Required<McpClientModuleExtras> = { isGlobal: true, imports: [], providers: [] };

export const {
  ConfigurableModuleClass: ConfigurableMcpClientModule,
  MODULE_OPTIONS_TOKEN: MCP_CLIENT_MODULE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<McpClientModuleOptions>({ moduleName: 'McpClient' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createMcpClientOptions')
  .setExtras<McpClientModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
    providers: [...(definition.providers ?? []), ...(extras.providers ?? [])],
  }))
  .build();

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface McpClientOptionsFactory {
  createMcpClientOptions(): McpClientModuleOptions | Promise<McpClientModuleOptions>;
}

/** The options of `McpClientModule.forRootAsync()`. */
export type McpClientModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

import { ConfigurableModuleBuilder, type DynamicModule } from '@nestjs/common';
import type { McpServerModuleExtras, McpServerModuleOptions } from './mcp-server.options.js';

export const DEFAULT_PATH = '/mcp';

export const DEFAULT_EXTRAS: Required<McpServerModuleExtras> = {
  path: DEFAULT_PATH,
  http: true,
  guards: [],
  imports: [],
  isGlobal: true,
};

export const {
  ConfigurableModuleClass: ConfigurableMcpServerModule,
  MODULE_OPTIONS_TOKEN: MCP_SERVER_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<McpServerModuleOptions>({ moduleName: 'McpServer' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createMcpServerOptions')
  .setExtras<McpServerModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
  }))
  .build();

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface McpServerOptionsFactory {
  createMcpServerOptions(): McpServerModuleOptions | Promise<McpServerModuleOptions>;
}

/** The options of `McpServerModule.forRootAsync()`. */
export type McpServerModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

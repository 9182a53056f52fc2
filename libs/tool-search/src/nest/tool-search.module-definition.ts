import { ConfigurableModuleBuilder, type DynamicModule, type Provider } from '@nestjs/common';
import type { ToolSearchPropertiesInit } from './tool-search-properties.js';

/** The options of `ToolSearchModule.forRoot()`, and what the factory of `forRootAsync()` returns. */
export interface ToolSearchModuleOptions {
  /** Properties under those of the configuration: camelCase, nested as the keys after `ai.chat.client.tool-search-advisor.` */
  properties?: ToolSearchPropertiesInit;
}

/** What stands beside the options. */
export interface ToolSearchModuleExtras {
  /** Whether every module can inject `ToolSearchAdvisors`. Default: true. */
  isGlobal?: boolean;
  /** Providers of a `ToolIndex`, a `VectorStore` or an `EmbeddingModel`; any other module may have them as well. */
  providers?: Provider[];
}

/** `TOOL_SEARCH_MODULE_OPTIONS` is the token of the {@link ToolSearchModuleOptions} in force. */
export const {
  ConfigurableModuleClass: ConfigurableToolSearchModule,
  MODULE_OPTIONS_TOKEN: TOOL_SEARCH_MODULE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<ToolSearchModuleOptions>({ moduleName: 'ToolSearch' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createToolSearchOptions')
  .setExtras<ToolSearchModuleExtras>(
    { isGlobal: true, providers: [] },
    (definition, { isGlobal = true, providers = [] }): DynamicModule => ({
      ...definition,
      global: isGlobal,
      providers: [...(definition.providers ?? []), ...providers],
    }),
  )
  .build();

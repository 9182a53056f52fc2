import { ConfigurableModuleBuilder, type DynamicModule, type Provider } from '@nestjs/common';
import type { ToolSearchPropertiesInit } from './tool-search-properties.js';

/**
 * The options of `ToolSearchModule.forRoot()`, and the result of the factory of `forRootAsync()`.
 */
export interface ToolSearchModuleOptions {
  /**
   * Properties that the configuration overrides: camelCase, nested like the keys after
   * `ai.chat.client.tool-search-advisor.`
   */
  properties?: ToolSearchPropertiesInit;
}

/** The options in addition to {@link ToolSearchModuleOptions}. */
export interface ToolSearchModuleExtras {
  /** Whether every module can inject `ToolSearchAdvisors`. Default: true. */
  isGlobal?: boolean;
  /**
   * Providers for `ToolIndex`, `VectorStore` or `EmbeddingModel`. Any other module can provide
   * them too.
   */
  providers?: Provider[];
}

/**
 * `TOOL_SEARCH_MODULE_OPTIONS` is the injection token of the effective
 * {@link ToolSearchModuleOptions}.
 */
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

import { ConfigurableModuleBuilder, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { ChatModel, ChatOptions } from '@nestor-ai/core';
import type { Fetch } from './custom-fetch.js';
import { type AiModelProperties, OWN_PROPERTIES } from './model-properties.js';
import type { AiSdkLanguageModel } from '../language-model.js';

/** A model in code: properties, or a model of a provider package. */
export interface ModelOptions extends Partial<AiModelProperties> {
  /**
   * A model of an AI SDK provider package, such as `anthropic('claude-sonnet-4-5')`, or any
   * `ChatModel`. Used unless the configuration names a provider or a model.
   */
  model?: AiSdkLanguageModel | ChatModel;
  /** Default options. The options of a request override them. */
  options?: ChatOptions;
  /** Sends the requests to the provider in place of the global `fetch`. */
  fetch?: Fetch;
}

/** The options of `AiSdkModule.forRoot()`. The properties `ai.model.*` override them. */
export interface AiSdkModuleOptions extends ModelOptions {
  /**
   * The model if no `ai.model.*` property is set or its API key is missing, for development and tests. Default: none.
   */
  fallback?: ChatModel;
  /**
   * Models by name. A request chooses one with `.options({ model: 'fast' })`, and
   * `@InjectChatModel('fast')` injects it. The properties `ai.models.<name>.*` override them.
   */
  models?: Readonly<Record<string, ModelOptions>>;
}

export const MODEL_OPTION_KEYS: readonly string[] = [...Object.keys(OWN_PROPERTIES), 'model', 'options', 'fetch'];

export const OPTION_KEYS: readonly string[] = [...MODEL_OPTION_KEYS, 'fallback', 'models'];

/** Further options of `forRoot()` and `forRootAsync()`. */
export interface AiSdkModuleExtras {
  /** Whether all modules can inject the models. Default: true. */
  isGlobal?: boolean;
  /**
   * Whether other modules can inject the `EmbeddingModel`. The tool search finds it in any case.
   * Default: true if `forRoot()` has the option `embeddingName`.
   */
  embeddings?: boolean | undefined;
  /**
   * Modules that export the dependencies of this module, such as `ConfigModule` if it is not
   * global.
   */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const DEFAULT_EXTRAS: Required<AiSdkModuleExtras> = { isGlobal: true, embeddings: undefined, imports: [] };

export const EXTRA_KEYS: readonly string[] = Object.keys(DEFAULT_EXTRAS);

export const {
  ConfigurableModuleClass: ConfigurableAiSdkModule,
  MODULE_OPTIONS_TOKEN: AI_SDK_MODULE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<AiSdkModuleOptions>({ moduleName: 'AiSdk' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createAiSdkOptions')
  .setExtras<AiSdkModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
  }))
  .build();

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface AiSdkOptionsFactory {
  createAiSdkOptions(): AiSdkModuleOptions | Promise<AiSdkModuleOptions>;
}

/** The options of `AiSdkModule.forRootAsync()`. */
export type AiSdkModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

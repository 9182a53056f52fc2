import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { ChatModel } from '../model/chat-model.js';
import { INCLUDED_MODULES } from './discovery/tool.registry.js';
import type { AiPropertiesInit } from './properties/ai-properties.js';

/** The options of `AiModule.forRoot()`, and what the factory of `forRootAsync()` returns. */
export interface AiModuleOptions {
  /** The model. Default: the `ChatModel` that the application provides. */
  chatModel?: ChatModel;
  /** Properties under those of the configuration: camelCase, nested as the keys after `ai.` */
  properties?: AiPropertiesInit;
}

export const OPTION_KEYS: readonly string[] = ['chatModel', 'properties'] satisfies (keyof AiModuleOptions)[];

/** What stands beside the options in `forRoot()` and `forRootAsync()`. */
export interface AiModuleExtras {
  /** Whether every module can inject what AiModule provides. Default: true. */
  isGlobal?: boolean;
  /** Providers that replace the default ones of the same token, such as `ToolCallingManager`. */
  providers?: Provider[];
  /**
   * The modules whose tools are offered to requests that name none; not the modules that they import. Tools of other modules are
   * found as well, and can be given by class, by name, or with `toolsWhere()`. Default: all modules.
   */
  include?: readonly Type[] | undefined;
  /** Modules that export what `providers` inject. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const DEFAULT_EXTRAS: Required<AiModuleExtras> = { isGlobal: true, providers: [], imports: [], include: undefined };

export const EXTRA_KEYS: readonly string[] = Object.keys(DEFAULT_EXTRAS);

/** `AI_MODULE_OPTIONS` is the token of the {@link AiModuleOptions} in force. */
export const {
  ConfigurableModuleClass: ConfigurableAiModule,
  MODULE_OPTIONS_TOKEN: AI_MODULE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<AiModuleOptions>({ moduleName: 'Ai' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createAiOptions')
  .setExtras<AiModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
    providers: [
      ...(definition.providers ?? []),
      ...(extras.include ? [{ provide: INCLUDED_MODULES, useValue: extras.include }] : []),
      ...(extras.providers ?? []),
    ],
  }))
  .build();

/** What a class given with `useClass` or `useExisting` implements. */
export interface AiOptionsFactory {
  createAiOptions(): AiModuleOptions | Promise<AiModuleOptions>;
}

/** The options of `AiModule.forRootAsync()`. */
export type AiModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

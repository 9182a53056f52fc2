import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { ChatModel } from '../model/chat-model.js';
import { knownText } from './bootstrap-problems.js';
import { INCLUDED_MODULES } from './discovery/tool.registry.js';
import type { PluginMetadata } from './plugin-metadata/plugin-metadata.js';
import type { AiPropertiesInit } from './properties/ai-properties.js';

/** The options of `AiModule.forRoot()`. The factory of `forRootAsync()` returns them as well. */
export interface AiModuleOptions {
  /** The model. Default: the `ChatModel` that a module of the application provides. */
  chatModel?: ChatModel;
  /**
   * Whether the `ChatMemory` of the application stores conversations of requests with
   * `.conversation(id)`. The property `ai.chat.memory.enabled` does the same and takes precedence.
   * Default: false.
   */
  memory?: boolean;
  /**
   * Properties set in code, nested and in camelCase: `{ tools: { maxResultLength: 5000 } }`. The
   * configuration takes precedence.
   */
  properties?: AiPropertiesInit;
  /**
   * The types of tools that the compiler plugin or `nestor-schemas` wrote to `metadata.ts`: its
   * default export. You don't need it if tsc or webpack builds the application with the plugin.
   * Default: types that the compiler wrote into the classes, otherwise what TypeScript emits.
   */
  pluginMetadata?: PluginMetadata;
}

export const OPTION_KEYS: readonly string[] = [
  'chatModel',
  'memory',
  'properties',
  'pluginMetadata',
] satisfies (keyof AiModuleOptions)[];

/** The properties in the options, including those with a shorthand such as `memory`. */
export function propertiesOf({ memory, properties }: AiModuleOptions = {}): AiPropertiesInit | undefined {
  if (memory === undefined) return properties;
  const { enabled = memory, ...others } = properties?.chat?.memory ?? {};
  return { ...properties, chat: { ...properties?.chat, memory: { ...others, enabled } } };
}

/** Further options of `forRoot()` and `forRootAsync()`. */
export interface AiModuleExtras {
  /** Whether all modules can inject the providers of `AiModule`. Default: true. */
  isGlobal?: boolean;
  /**
   * Providers that replace the default providers of the same token, such as `ToolCallingManager`.
   */
  providers?: Provider[];
  /**
   * The modules whose tools are offered to requests that don't list tools. Modules that they import
   * don't count. You can still give a request other tools by class, by name or with `toolsWhere()`.
   * Default: all modules.
   */
  include?: readonly Type[] | undefined;
  /** Modules that export the dependencies of `providers`. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const DEFAULT_EXTRAS: Required<AiModuleExtras> = { isGlobal: true, providers: [], imports: [], include: undefined };

const EXTRA_KEYS: readonly string[] = Object.keys(DEFAULT_EXTRAS);

/** What to tell about an option that AiModule does not have, or not there. */
export function unknownOptionText(key: string): string {
  const remedy = EXTRA_KEYS.includes(key)
    ? `Move '${key}' next to useFactory.`
    : knownText(key, [...OPTION_KEYS, ...EXTRA_KEYS]);
  return `AiModule has no option '${key}'. ${remedy}`;
}

/** `AI_MODULE_OPTIONS` is the injection token of the {@link AiModuleOptions}. */
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

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface AiOptionsFactory {
  createAiOptions(): AiModuleOptions | Promise<AiModuleOptions>;
}

/** The options of `AiModule.forRootAsync()`. */
export type AiModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

import { ConfigurableModuleBuilder, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { PostgresAiModuleOptions } from './postgres-ai.options.js';

/** Further options of `forRoot()` and `forRootAsync()`. */
export interface PostgresAiModuleExtras {
  /** Whether all modules can inject the stores. Default: true, which AiModule needs. */
  isGlobal?: boolean;
  /** Modules that export what a factory injects. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const DEFAULT_EXTRAS: Required<PostgresAiModuleExtras> = { isGlobal: true, imports: [] };

export const {
  ConfigurableModuleClass: ConfigurablePostgresAiModule,
  MODULE_OPTIONS_TOKEN: POSTGRES_AI_MODULE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<PostgresAiModuleOptions>({ moduleName: 'PostgresAi' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createPostgresAiOptions')
  .setExtras<PostgresAiModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
  }))
  .build();

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface PostgresAiOptionsFactory {
  createPostgresAiOptions(): PostgresAiModuleOptions | Promise<PostgresAiModuleOptions>;
}

/** The options of `PostgresAiModule.forRootAsync()`. */
export type PostgresAiModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

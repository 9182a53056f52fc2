import { ConfigurableModuleBuilder, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { BullAiModuleOptions } from './bull-ai.options.js';

/** Further options of `forRoot()` and `forRootAsync()`. */
export interface BullAiModuleExtras {
  /** Whether all modules can inject the queue. Default: true, which AiModule needs. */
  isGlobal?: boolean;
  /** Modules that export what a factory injects. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

const DEFAULT_EXTRAS: Required<BullAiModuleExtras> = { isGlobal: true, imports: [] };

export const {
  ConfigurableModuleClass: ConfigurableBullAiModule,
  MODULE_OPTIONS_TOKEN: BULL_AI_MODULE_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<BullAiModuleOptions>({ moduleName: 'BullAi' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createBullAiOptions')
  .setExtras<BullAiModuleExtras>(DEFAULT_EXTRAS, (definition, extras): DynamicModule => ({
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...(definition.imports ?? []), ...(extras.imports ?? [])],
  }))
  .build();

/** Implement this in the class that you pass with `useClass` or `useExisting`. */
export interface BullAiOptionsFactory {
  createBullAiOptions(): BullAiModuleOptions | Promise<BullAiModuleOptions>;
}

/** The options of `BullAiModule.forRootAsync()`. */
export type BullAiModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

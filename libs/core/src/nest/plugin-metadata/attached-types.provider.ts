import type { FactoryProvider } from '@nestjs/common';
import { AI_MODULE_OPTIONS, type AiModuleOptions } from '../ai.module-definition.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { AttachedTypes } from './plugin-metadata.js';

/** Nest waits for it before it creates the explorer of tools, which injects it. */
export const ATTACHED_TYPES: FactoryProvider<AttachedTypes> = {
  provide: AttachedTypes,
  inject: [AI_MODULE_OPTIONS, BootstrapProblems],
  useFactory: (options: AiModuleOptions | undefined, problems: BootstrapProblems) =>
    AttachedTypes.of(options?.pluginMetadata, problems),
};

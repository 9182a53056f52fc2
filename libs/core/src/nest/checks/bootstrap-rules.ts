import type { AiApplication } from './ai-application.js';
import {
  checkChatModels,
  checkClientAdvisors,
  checkClientNames,
  checkClientProperties,
  checkClientTools,
  checkConfiguredClients,
  checkShownContents,
  checkToolLoops,
} from './clients.rule.js';
import { checkExtensions, checkForeignKeys, checkKnownKeys, checkMissingPackages } from './extensions.rule.js';
import {
  checkGivenProviders,
  checkMisplacedProviders,
  checkPackageProviders,
  checkTurnRepository,
} from './given-providers.rule.js';
import { checkInjectedClients } from './injected-clients.rule.js';
import { checkLoadedCopies } from './loaded-copies.rule.js';
import {
  checkEventHooks,
  checkIncludedModules,
  checkUnknownModules,
  checkVisibleConfiguration,
} from './modules.rule.js';
import { checkFallbackCycles, checkModelNames, checkModelProperties } from './models.rule.js';
import { checkParameterNames } from './parameter-names.rule.js';
import { checkPluginMetadata } from './plugin-metadata.rule.js';
import {
  checkCodeGeneration,
  checkConfiguredTools,
  checkPortableToolNames,
  checkToolDefinitions,
  checkToolNames,
  checkToolProperties,
  checkToolSubstitutes,
} from './tools.rule.js';
import { checkVariables } from './variables.rule.js';

/** Returns the problems that it finds in an application, each with its remedy. */
export type BootstrapRule = (application: AiApplication) => readonly string[];

/** If one of these rules finds a problem, the application does not start. */
export const BOOTSTRAP_RULES: readonly BootstrapRule[] = [
  checkCodeGeneration,
  checkVisibleConfiguration,
  checkKnownKeys,
  checkGivenProviders,
  checkPackageProviders,
  checkToolProperties,
  checkToolDefinitions,
  checkToolSubstitutes,
  checkIncludedModules,
  checkToolNames,
  checkMissingPackages,
  checkExtensions,
  checkToolLoops,
  checkEventHooks,
  checkClientNames,
  checkClientProperties,
  checkClientAdvisors,
  checkClientTools,
  checkInjectedClients,
  checkChatModels,
  checkModelProperties,
  checkModelNames,
  checkFallbackCycles,
  checkTurnRepository,
];

/** Problems that these rules find are logged as warnings. */
export const BOOTSTRAP_WARNINGS: readonly BootstrapRule[] = [
  checkLoadedCopies,
  checkForeignKeys,
  checkParameterNames,
  checkPluginMetadata,
  checkPortableToolNames,
  checkConfiguredTools,
  checkUnknownModules,
  checkConfiguredClients,
  checkMisplacedProviders,
  checkShownContents,
  checkVariables,
];

import type { AiApplication } from './ai-application.js';
import { checkChatModels } from './chat-models.rule.js';
import { checkClientAdvisors } from './client-advisors.rule.js';
import { checkClientNames } from './client-names.rule.js';
import { checkClientProperties, checkConfiguredClients } from './client-properties.rule.js';
import { checkClientTools } from './client-tools.rule.js';
import { checkEventHooks } from './event-hooks.rule.js';
import { checkGivenProviders, checkMisplacedProviders } from './given-providers.rule.js';
import { checkIncludedModules, checkUnknownModules } from './included-modules.rule.js';
import { checkInjectedClients } from './injected-clients.rule.js';
import { checkPortableToolNames } from './portable-tool-names.rule.js';
import { checkShownContents } from './shown-contents.rule.js';
import { checkToolDefinitions } from './tool-definitions.rule.js';
import { checkToolLoops } from './tool-loops.rule.js';
import { checkToolNames } from './tool-names.rule.js';
import { checkConfiguredTools, checkToolProperties } from './tool-properties.rule.js';
import { checkToolSubstitutes } from './tool-substitutes.rule.js';
import { checkVisibleConfiguration } from './visible-configuration.rule.js';

/** Says what is wrong with an application, each with its remedy; nothing when the rule holds. */
export interface BootstrapRule {
  (application: AiApplication): readonly string[];
}

/** What has to hold, or the application does not start. */
export const BOOTSTRAP_RULES: readonly BootstrapRule[] = [
  checkVisibleConfiguration,
  checkGivenProviders,
  checkToolProperties,
  checkToolDefinitions,
  checkToolSubstitutes,
  checkIncludedModules,
  checkToolNames,
  checkToolLoops,
  checkEventHooks,
  checkClientNames,
  checkClientProperties,
  checkClientAdvisors,
  checkClientTools,
  checkInjectedClients,
  checkChatModels,
];

/** What should hold: the log warns of what does not. */
export const BOOTSTRAP_WARNINGS: readonly BootstrapRule[] = [
  checkPortableToolNames,
  checkConfiguredTools,
  checkUnknownModules,
  checkConfiguredClients,
  checkMisplacedProviders,
  checkShownContents,
];

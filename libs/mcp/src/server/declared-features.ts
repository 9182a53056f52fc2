import type { Provider } from '@nestjs/common';
import { ApplicationTools } from './application-tools.js';
import { McpMethods } from './calls/mcp-methods.js';
import { McpCompletionFeature } from './completion/mcp-completion.feature.js';
import { McpPromptCatalog } from './prompts/prompt-catalog.js';
import { McpPromptsFeature } from './prompts/mcp-prompts.feature.js';
import { McpResourcesFeature } from './resources/mcp-resources.feature.js';
import { McpResourceSubscriptions } from './resources/resource-subscriptions.js';
import { McpResourceCatalog } from './resources/resource-catalog.js';

/** The features that `@McpResource()` and `@McpPrompt()` declare, and what they need. */
export const DECLARED_FEATURES: Provider[] = [
  ApplicationTools,
  McpMethods,
  McpResourceCatalog,
  McpResourceSubscriptions,
  McpPromptCatalog,
  McpResourcesFeature,
  McpPromptsFeature,
  McpCompletionFeature,
];

import { type InjectionToken, type Provider, Scope } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { DiscoveryService } from '@nestjs/core';
import { ApprovalPolicy } from '../advisor/approvals/approval-policy.js';
import { ApprovalTokens } from '../advisor/approvals/approval-tokens.js';
import { MessageChatMemoryAdvisor } from '../advisor/message-chat-memory-advisor.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { ChatClient, ChatClientBuilder } from '../client/chat-client.js';
import { ChatClientCustomizer } from '../client/chat-client-customizer.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { ToolCallbackResolver } from '../execution/tool-callback-resolver.js';
import { ToolCallingManager } from '../execution/tool-calling-manager.js';
import {
  DefaultToolExecutionExceptionProcessor,
  ToolExecutionExceptionProcessor,
} from '../execution/tool-execution-exception-processor.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { ChatMemoryRepository } from '../memory/chat-memory.repository.js';
import { ConversationLog } from '../memory/conversation-log.js';
import { InMemoryConversationLog } from '../memory/in-memory-conversation-log.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import { SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import { ConversationLocks } from '../memory/conversation-locks.js';
import { ContentRedactor } from '../model/content-redactor.js';
import { ChatModel } from '../model/chat-model.js';
import { ModelRouter } from '../model/model-router.js';
import { DefaultToolCallResultConverter, ToolCallResultConverter } from '../tool/result/tool-call-result-converter.js';
import { TurnPrincipal } from '../model/turn-principal.js';
import { ToolFilter } from '../tool/tool-visibility.js';
import { ToolArgumentRepair } from '../execution/tool-argument-repair.js';
import { ToolRateLimits } from '../execution/tool-rate-limits.js';
import { ToolResultStore } from '../execution/tool-result-store.js';
import { ToolExecutionEligibilityChecker } from '../advisor/tool-execution-eligibility-checker.js';
import {
  AI_MODULE_OPTIONS,
  type AiModuleOptions,
  OPTION_KEYS,
  propertiesOf,
  unknownOptionText,
} from './ai.module-definition.js';
import { ApplicationModels } from './clients/application-models.js';
import { ApplicationServices } from './clients/application-services.js';
import { AI_CHAT_MODEL, AI_CLIENTS, ChatClientFactory } from './clients/chat-client.factory.js';
import { ProviderHosts } from './hosts/provider-host.js';
import { STORED_TURNS } from '../client/stored-turns.js';
import { JOB_QUEUE } from '../execution/job-queue.js';
import { ChatClients } from './clients/chat-clients.js';
import { SuspendedTurns } from './clients/suspended-turns.js';
import { ToolCallers } from './clients/tool-callers.js';
import { Extensions } from './extensions/extensions.js';
import { OPTION_PROVIDERS } from './ai.option-providers.js';
import { ObservationConvention } from '../observability/observation-convention.js';
import { Observability } from './observability.js';
import { AiShutdown } from './ai-shutdown.module.js';
import { BootstrapProblems } from './bootstrap-problems.js';
import { AdvisorExplorer } from './discovery/advisor.explorer.js';
import { ProviderToolCallbackResolver } from './discovery/provider-tool-callback.resolver.js';
import { ProviderToolExplorer } from './discovery/provider-tool.explorer.js';
import { ResultConverters } from './discovery/result-converters.js';
import { ToolExplorer } from './discovery/tool.explorer.js';
import { ToolConfigurator } from './discovery/tool-configurator.js';
import { ToolPins } from './discovery/tool-pins.js';
import { ToolProviderStatus } from './discovery/tool-provider-status.js';
import { INCLUDED_MODULES, ToolRegistry } from './discovery/tool.registry.js';
import { UnguardedTools } from './discovery/unguarded-tools.js';
import { GlobalEnhancers } from './invocation/global-enhancers.js';
import { TOOL_SUBSTITUTES, type ToolSubstitutes } from './invocation/tool-instances.js';
import { CurrentRequest } from './invocation/current-request.js';
import { RequiredRequest } from './invocation/required-request.js';
import { ToolAroundFactory } from './invocation/tool-around.factory.js';
import { locateChatModel } from './located-chat-model.js';
import { tokenOf } from './package-providers.js';
import { AiProperties, PROPERTY_TREE } from './properties/ai-properties.js';
import { CONFIGURATION, type PropertySource } from './properties/property-source.js';
import { readProperties } from './properties/read-properties.js';
import { ClientProperties } from './properties/client-properties.js';
import { ModelProperties } from './properties/model-properties.js';
import { ToolProperties } from './properties/tool-properties.js';

/** Conversations would go to one of the stores, and the other would stay empty. */
const TWO_STORES =
  'AiModule has a ChatMemoryRepository and a ConversationLog, and only uses the log. Remove one of them, or let the repository ' +
  'be the log: add { provide: ConversationLog, useExisting: ChatMemoryRepository } as the last provider.';

/** The providers that you can inject and replace. */
const replaceable: readonly Provider[] = [
  { provide: ToolCallingManager, useClass: DefaultToolCallingManager },
  { provide: ToolCallingAdvisor, useClass: ToolCallingAdvisor },
  { provide: ToolCallbackResolver, useClass: ProviderToolCallbackResolver },
  { provide: ToolExecutionExceptionProcessor, useClass: DefaultToolExecutionExceptionProcessor },
  { provide: ToolCallResultConverter, useClass: DefaultToolCallResultConverter },
  { provide: ObservationConvention, useClass: ObservationConvention },
  {
    provide: SuspendedTurnRepository,
    useFactory: (): SuspendedTurnRepository => new InMemorySuspendedTurnRepository(),
  },
  { provide: TurnPrincipal, useClass: TurnPrincipal },
  { provide: ApprovalPolicy, useClass: ApprovalPolicy },
  {
    provide: ConversationLog,
    inject: [ChatMemoryRepository],
    useFactory: (repository: ChatMemoryRepository | undefined): ConversationLog =>
      repository ?? new InMemoryConversationLog(),
  },
  {
    provide: ChatMemory,
    inject: [ConversationLog, ChatMemoryRepository, AiProperties, BootstrapProblems],
    useFactory: (
      log: ConversationLog,
      repository: ChatMemoryRepository | undefined,
      { chat }: AiProperties,
      problems: BootstrapProblems,
    ): ChatMemory => {
      const { enabled, maxMessages, maxTokens } = chat.memory;
      if (enabled && repository && repository !== log) problems.add(TWO_STORES);
      return new MessageWindowChatMemory({ log, maxMessages, maxTokens });
    },
  },
  { provide: MessageChatMemoryAdvisor, useClass: MessageChatMemoryAdvisor },
  {
    provide: ChatClientBuilder,
    scope: Scope.TRANSIENT,
    inject: [ChatClientFactory],
    useFactory: (clients: ChatClientFactory): ChatClientBuilder | undefined => clients.builder(),
  },
  {
    provide: ChatClient,
    inject: [ChatClientBuilder],
    useFactory: (builder: ChatClientBuilder | undefined): ChatClient | undefined => builder?.build(),
  },
];

/** What an application may provide in addition. */
export const OPTIONAL_TOKENS: readonly InjectionToken[] = [
  ChatClientCustomizer,
  ToolFilter,
  ToolArgumentRepair,
  ToolExecutionEligibilityChecker,
  ContentRedactor,
  ApprovalTokens,
  INCLUDED_MODULES,
  ModelRouter,
  ChatMemoryRepository,
  ConversationLocks,
  ToolRateLimits,
  ToolResultStore,
  STORED_TURNS,
  JOB_QUEUE,
];

/** Internal providers. */
const internal: readonly Provider[] = [
  // Some test kits create a mock for a provider that is injected but missing.
  ...OPTIONAL_TOKENS.map((token) => ({ provide: token, useValue: undefined })),
  {
    provide: CONFIGURATION,
    inject: [{ token: ConfigService, optional: true }],
    useFactory: (config: ConfigService | undefined): PropertySource | undefined =>
      typeof (config as Partial<ConfigService> | undefined)?.get === 'function' ? config : undefined,
  },
  { provide: TOOL_SUBSTITUTES, useFactory: (): ToolSubstitutes => new Map() },
  BootstrapProblems,
  GlobalEnhancers,
  RequiredRequest,
  CurrentRequest,
  ToolAroundFactory,
  ProviderToolExplorer,
  ResultConverters,
  ToolExplorer,
  AdvisorExplorer,
  ToolProviderStatus,
  ToolPins,
  UnguardedTools,
  ToolRegistry,
  ToolProperties,
  ToolConfigurator,
  ClientProperties,
  ModelProperties,
  ApplicationModels,
  ApplicationServices,
  ChatClientFactory,
  Extensions,
  ChatClients,
  SuspendedTurns,
  ToolCallers,
  ProviderHosts,
  Observability,
  { provide: AI_CLIENTS, useExisting: ChatClientFactory },
  {
    provide: AiProperties,
    inject: [AI_MODULE_OPTIONS, BootstrapProblems, CONFIGURATION, AiShutdown],
    useFactory: (
      moduleOptions: AiModuleOptions | undefined,
      problems: BootstrapProblems,
      config: PropertySource | undefined,
      shutdown: AiShutdown,
    ): AiProperties => {
      if (!moduleOptions)
        problems.add('The factory of AiModule.forRootAsync() returned no options. Return at least {}.');
      for (const key of Object.keys(moduleOptions ?? {}).filter((other) => !OPTION_KEYS.includes(other))) {
        problems.add(unknownOptionText(key));
      }
      const reading = readProperties(PROPERTY_TREE, 'ai', propertiesOf(moduleOptions), config);
      problems.add(...reading.wrongValues);
      problems.unknownKeys = reading.unknown;
      const { shutdown: ending, tools } = reading.properties;
      shutdown.waitAtMost({ drain: ending.drainTimeout, tools: tools.shutdownTimeout });
      return reading.properties;
    },
  },
  {
    provide: AI_CHAT_MODEL,
    inject: [DiscoveryService, { token: ChatModel, optional: true }],
    useFactory: locateChatModel,
  },
];

/** All providers of AiModule. Providers in `forRoot({ providers })` follow and replace them. */
export const AI_PROVIDERS: readonly Provider[] = [...internal, ...OPTION_PROVIDERS, ...replaceable];

/** The providers that other modules can inject. */
export const AI_EXPORTS: readonly InjectionToken[] = [
  ...replaceable.map(tokenOf),
  // The options that a subclass passes to the constructor of its base class.
  ...OPTION_PROVIDERS.map(tokenOf),
  AI_CLIENTS,
  SuspendedTurns,
  ApprovalTokens,
  ContentRedactor,
  ToolRegistry,
  ChatClients,
  ToolCallers,
  ToolProviderStatus,
  AiProperties,
];

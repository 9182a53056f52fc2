import { type Provider } from '@nestjs/common';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../advisor/tool-calling-advisor.options.js';
import {
  MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
  type MessageChatMemoryAdvisorOptions,
} from '../advisor/message-chat-memory-advisor.js';
import { ToolExecutionEligibilityChecker } from '../advisor/tool-execution-eligibility-checker.js';
import {
  TOOL_CALLING_MANAGER_OPTIONS,
  type ToolCallingManagerOptions,
} from '../execution/tool-calling-manager.options.js';
import { ToolCallbackResolver } from '../execution/tool-callback-resolver.js';
import { ToolRateLimits } from '../execution/tool-rate-limits.js';
import { ToolResultStore } from '../execution/tool-result-store.js';
import { ToolCallingManager } from '../execution/tool-calling-manager.js';
import {
  TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS,
  ToolExecutionExceptionProcessor,
  type ToolExecutionExceptionProcessorOptions,
} from '../execution/tool-execution-exception-processor.js';
import { ToolArgumentRepair } from '../execution/tool-argument-repair.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import { ContentRedactor, REDACTOR } from '../model/content-redactor.js';
import { ToolFilter } from '../tool/tool-visibility.js';
import { ToolRegistry } from './discovery/tool.registry.js';
import { AiProperties } from './properties/ai-properties.js';
import { Observability } from './observability.js';
import { ClientProperties, loopOptionsOf } from './properties/client-properties.js';
import { ToolProperties } from './properties/tool-properties.js';
import { Extensions } from './extensions/extensions.js';
import { RequestServices } from '../model/request-services.js';
import { TURN_OBSERVERS } from '../model/turn-control.js';

/** The options of the default providers, made from the properties. */
export const OPTION_PROVIDERS: readonly Provider[] = [
  {
    provide: TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS,
    inject: [AiProperties, ContentRedactor],
    useFactory: (
      { tools }: AiProperties,
      redactor: ContentRedactor | undefined,
    ): ToolExecutionExceptionProcessorOptions => ({
      alwaysThrow: tools.throwExceptionOnError,
      exposure: tools.errorExposure,
      redactor,
    }),
  },
  {
    provide: TOOL_CALLING_MANAGER_OPTIONS,
    inject: [
      AiProperties,
      ToolCallbackResolver,
      ToolExecutionExceptionProcessor,
      ToolProperties,
      ToolRegistry,
      ToolArgumentRepair,
      ToolFilter,
      Observability,
      ClientProperties,
      Extensions,
      ContentRedactor,
      ToolRateLimits,
      ToolResultStore,
    ],
    useFactory: (
      { tools }: AiProperties,
      toolCallbackResolver: ToolCallbackResolver,
      toolExecutionExceptionProcessor: ToolExecutionExceptionProcessor,
      toolProperties: ToolProperties,
      registry: ToolRegistry,
      argumentRepair: ToolArgumentRepair | undefined,
      toolFilter: ToolFilter | undefined,
      observability: Observability,
      clients: ClientProperties,
      extensions: Extensions,
      redactor: ContentRedactor | undefined,
      rateLimits: ToolRateLimits | undefined,
      resultStore: ToolResultStore | undefined,
    ): ToolCallingManagerOptions => ({
      observability: observability.of(clients.ofDefault),
      policiesOf: (toolName) => toolProperties.policiesOf(toolName),
      onUntrusted: tools.untrusted.then,
      ...(argumentRepair && { argumentRepair }),
      ...(toolFilter && { toolFilter }),
      services: extensions.addServices(
        new RequestServices()
          .set(REDACTOR, redactor)
          .set(TURN_OBSERVERS, (turn) => extensions.observe(turn, undefined)),
      ),
      ...(rateLimits && { rateLimits }),
      ...(resultStore && { resultStore }),
      // Guards run no matter how a tool got into the request.
      registered: (callback) => registry.registered(callback),
      toolCallbackResolver,
      toolExecutionExceptionProcessor,
      concurrency: tools.concurrency,
      ...(tools.timeout !== undefined && { timeout: tools.timeout }),
      maxResultLength: tools.maxResultLength,
      resultPaging: tools.results.paging.enabled,
      resolutionFallbackEnabled: tools.resolution.fallback.enabled,
      limits: {
        maxCallsPerTool: tools.limits.maxCallsPerToolDefault,
        ...(!toolProperties.limitsNothing && { maxCallsPerToolName: (name) => toolProperties.limitOf(name) }),
        excludedTools: tools.limits.excludedTools,
        maxTotalToolCalls: tools.limits.maxTotalToolCalls,
        onLimitExceeded: tools.limits.onLimitExceeded,
      },
    }),
  },
  {
    provide: MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
    inject: [ChatMemory],
    useFactory: (chatMemory: ChatMemory): MessageChatMemoryAdvisorOptions => ({ chatMemory }),
  },
  {
    provide: TOOL_CALLING_ADVISOR_OPTIONS,
    inject: [AiProperties, ToolCallingManager, SuspendedTurnRepository, ToolExecutionEligibilityChecker],
    useFactory: (
      { chat }: AiProperties,
      toolCallingManager: ToolCallingManager,
      suspendedTurnRepository: SuspendedTurnRepository,
      toolExecutionEligibilityChecker: ToolExecutionEligibilityChecker | undefined,
    ): ToolCallingAdvisorOptions => ({
      toolCallingManager,
      suspendedTurnRepository,
      ...(toolExecutionEligibilityChecker && { toolExecutionEligibilityChecker }),
      ...loopOptionsOf(chat.client.toolCalling),
    }),
  },
];

import { AI_CLIENTS } from './clients/chat-client.factory.js';
import { ChatClient, ChatClientBuilder } from '../client/chat-client.js';
import { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { ToolCallbackResolver } from '../execution/tool-callback-resolver.js';
import {
  ToolExecutionExceptionProcessor,
  TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS,
} from '../execution/tool-execution-exception-processor.js';
import { ToolCallResultConverter } from '../tool/result/tool-call-result-converter.js';
import { ObservationConvention } from '../observability/observation-convention.js';
import { SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import { SuspendedTurns } from '../advisor/approvals/suspended-turns.js';
import { TurnJournal } from '../memory/turn-journal.js';
import { TurnQueue } from '../execution/turn-queue.js';
import { TurnEventLog } from '../memory/turn-event-log.js';
import { TurnStreams } from '../client/turn-events/turn-streams.js';
import { ContentRedactor } from '../model/content-redactor.js';
import { TurnPrincipal } from '../model/turn-principal.js';
import { ApprovalPolicy } from '../advisor/approvals/approval-policy.js';
import { ChatMemoryRepository } from '../memory/chat-memory.repository.js';
import { ChatMemory } from '../memory/chat-memory.js';
import {
  MessageChatMemoryAdvisor,
  MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
} from '../advisor/message-chat-memory-advisor.js';
import { ToolRegistry } from './discovery/tool.registry.js';
import { ChatClients } from './clients/chat-clients.js';
import { ToolCallers } from './clients/tool-callers.js';
import { TurnRunner } from './clients/turn-runner.js';
import { ToolProviderStatus } from './discovery/tool-provider-status.js';
import { AiProperties } from './properties/ai-properties.js';
import { TOOL_CALLING_ADVISOR_OPTIONS } from '../advisor/tool-calling-advisor.options.js';
import { TOOL_CALLING_MANAGER_OPTIONS } from '../execution/tool-calling-manager.options.js';

/** The providers that other modules can inject. */
export const AI_EXPORTS = [
  AI_CLIENTS,
  ChatClient,
  ChatClientBuilder,
  ToolCallingManager,
  ToolCallingAdvisor,
  ToolCallbackResolver,
  ToolExecutionExceptionProcessor,
  ToolCallResultConverter,
  ObservationConvention,
  SuspendedTurnRepository,
  SuspendedTurns,
  TurnJournal,
  TurnQueue,
  TurnEventLog,
  TurnStreams,
  TurnPrincipal,
  ContentRedactor,
  ApprovalPolicy,
  ChatMemoryRepository,
  ChatMemory,
  MessageChatMemoryAdvisor,
  ToolRegistry,
  ChatClients,
  ToolCallers,
  TurnRunner,
  ToolProviderStatus,
  AiProperties,
  // The options that a subclass passes to the constructor of its base class.
  TOOL_CALLING_ADVISOR_OPTIONS,
  MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
  TOOL_CALLING_MANAGER_OPTIONS,
  TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS,
];

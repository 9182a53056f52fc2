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
import { SuspendedTurns } from './clients/suspended-turns.js';
import { ContentRedactor } from '../model/content-redactor.js';
import { TurnPrincipal } from '../model/turn-principal.js';
import { ApprovalPolicy } from '../advisor/approvals/approval-policy.js';
import { ApprovalTokens } from '../advisor/approvals/approval-tokens.js';
import { ConversationLog } from '../memory/conversation-log.js';
import { ChatMemory } from '../memory/chat-memory.js';
import {
  MessageChatMemoryAdvisor,
  MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
} from '../advisor/message-chat-memory-advisor.js';
import { ToolRegistry } from './discovery/tool.registry.js';
import { ChatClients } from './clients/chat-clients.js';
import { ToolCallers } from './clients/tool-callers.js';
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
  TurnPrincipal,
  ContentRedactor,
  ApprovalPolicy,
  ApprovalTokens,
  ConversationLog,
  ChatMemory,
  MessageChatMemoryAdvisor,
  ToolRegistry,
  ChatClients,
  ToolCallers,
  ToolProviderStatus,
  AiProperties,
  // The options that a subclass passes to the constructor of its base class.
  TOOL_CALLING_ADVISOR_OPTIONS,
  MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS,
  TOOL_CALLING_MANAGER_OPTIONS,
  TOOL_EXECUTION_EXCEPTION_PROCESSOR_OPTIONS,
];

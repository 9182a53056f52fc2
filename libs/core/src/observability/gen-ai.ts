import { PACKAGE_NAME, PACKAGE_VERSION } from '../model/loaded-copies.js';

/**
 * The supported version of the OpenTelemetry semantic conventions. It is the last version of that
 * repository with the conventions for generative AI. They are in development, so their names are
 * copied here, as the conventions recommend, and only change with a Nestor release.
 */
const SEMANTIC_CONVENTIONS_VERSION = '1.41.1';

/** Attribute names of the conventions. */
export const GEN_AI = {
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  agentName: 'gen_ai.agent.name',
  conversationId: 'gen_ai.conversation.id',
  outputType: 'gen_ai.output.type',
  requestModel: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  maxTokens: 'gen_ai.request.max_tokens',
  stopSequences: 'gen_ai.request.stop_sequences',
  presencePenalty: 'gen_ai.request.presence_penalty',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  seed: 'gen_ai.request.seed',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  tokenType: 'gen_ai.token.type',
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  toolCallId: 'gen_ai.tool.call.id',
  toolCallArguments: 'gen_ai.tool.call.arguments',
  toolCallResult: 'gen_ai.tool.call.result',
  errorType: 'error.type',
} as const;

/** Spring AI's names, for attributes that the conventions do not define. */
export const SPRING_AI = {
  kind: 'spring.ai.kind',
  clientIsStream: 'spring.ai.chat.client.stream',
  clientAdvisors: 'spring.ai.chat.client.advisors',
  clientToolNames: 'spring.ai.chat.client.tool.names',
  advisorName: 'spring.ai.advisor.name',
  advisorOrder: 'spring.ai.advisor.order',
  toolSchema: 'spring.ai.tool.definition.schema',
} as const;

/** Our own names, for attributes that neither defines. */
export const NESTOR = {
  toolCallOutcome: 'nestor.tool.call.outcome',
  toolCallApproval: 'nestor.tool.call.approval',
  toolCallApprover: 'nestor.tool.call.approver',
  toolCallModelArguments: 'nestor.tool.call.model_arguments',
  providerToolCalls: 'nestor.provider_tool.calls',
  timeToFirstToolInput: 'nestor.tool_input.time_to_first_chunk',
  turnRounds: 'nestor.turn.rounds',
  turnStatus: 'nestor.turn.status',
  isStream: 'nestor.stream',
  isAborted: 'nestor.aborted',
} as const;

/** The name and version under which spans and measurements are reported. */
export const SCOPE_NAME = PACKAGE_NAME;
export const SCOPE_VERSION = PACKAGE_VERSION;
export const SCOPE_OPTIONS = { schemaUrl: `https://opentelemetry.io/schemas/${SEMANTIC_CONVENTIONS_VERSION}` };

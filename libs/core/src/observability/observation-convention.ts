import type { Attributes } from '@opentelemetry/api';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { remembered } from '../model/remembered.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { idOrOther, nameOrOther, OTHER } from '../model/error-type.js';
import { GEN_AI, NESTOR, SPRING_AI } from './gen-ai.js';

/** A request of a `ChatClient`. */
export interface ObservedRequest {
  /** The name of the client. Undefined for the one that is injected as `ChatClient`. */
  readonly clientName: string | undefined;
  readonly isStream: boolean;
  readonly advisorNames: readonly string[];
  readonly toolNames: readonly string[];
  readonly conversationId: string | undefined;
}

/** An advisor that handles a request. */
export interface ObservedAdvisor {
  readonly name: string;
  readonly order: number;
}

/** A model call. */
export interface ObservedModelCall {
  readonly chatModel: ChatModel;
  readonly prompt: Prompt;
  readonly conversationId: string | undefined;
}

/** A tool call. */
export interface ObservedToolCall {
  readonly toolCall: ToolCall;
  /** Undefined if the request has no such tool. */
  readonly toolDefinition: ToolDefinition | undefined;
}

/** The name and initial attributes of a span. */
export interface SpanDescription {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Defines the names and attributes of spans. They follow OpenTelemetry's semantic conventions for
 * generative AI, and use Spring AI's names where those define none. To change them, extend this
 * class and provide it under the token `ObservationConvention`.
 *
 * @example
 * \@Injectable()
 * class OurConvention extends ObservationConvention {
 *   override toolSpan(call: ObservedToolCall) {
 *     const { name, attributes } = super.toolSpan(call);
 *     return { name, attributes: { ...attributes, 'our.team': 'billing' } };
 *   }
 * }
 */
export class ObservationConvention {
  /** The span of a request, from start to answer. */
  requestSpan({ clientName, isStream, advisorNames, toolNames, conversationId }: ObservedRequest): SpanDescription {
    const attributes: Attributes = {
      [GEN_AI.operationName]: 'framework',
      [SPRING_AI.kind]: 'chat_client',
      [SPRING_AI.clientIsStream]: isStream,
      [SPRING_AI.clientAdvisors]: advisorNames as string[],
    };
    if (toolNames.length > 0) attributes[SPRING_AI.clientToolNames] = toolNames as string[];
    if (clientName !== undefined) attributes[GEN_AI.agentName] = clientName;
    if (conversationId !== undefined) attributes[GEN_AI.conversationId] = conversationId;
    return { name: 'chat_client', attributes };
  }

  /** The span of an advisor and the rest of the chain. */
  advisorSpan(advisor: ObservedAdvisor): SpanDescription {
    const { name, attributes } = spanOfAdvisor(advisor);
    // A subclass may modify the result.
    return { name, attributes: { ...attributes } };
  }

  /** The span of a model call. */
  modelSpan({ chatModel, prompt, conversationId }: ObservedModelCall): SpanDescription {
    const { options = {} } = prompt;
    const model = requestedModel(chatModel, prompt);
    const attributes: Attributes = {
      [GEN_AI.operationName]: 'chat',
      [GEN_AI.providerName]: chatModel.provider ?? UNKNOWN_PROVIDER,
    };
    if (model !== undefined) attributes[GEN_AI.requestModel] = model;
    if (conversationId !== undefined) attributes[GEN_AI.conversationId] = conversationId;
    if (options.temperature !== undefined) attributes[GEN_AI.temperature] = options.temperature;
    if (options.topP !== undefined) attributes[GEN_AI.topP] = options.topP;
    if (options.topK !== undefined) attributes[GEN_AI.topK] = options.topK;
    if (options.maxTokens !== undefined) attributes[GEN_AI.maxTokens] = options.maxTokens;
    if (options.presencePenalty !== undefined) attributes[GEN_AI.presencePenalty] = options.presencePenalty;
    if (options.frequencyPenalty !== undefined) attributes[GEN_AI.frequencyPenalty] = options.frequencyPenalty;
    if (options.stopSequences) attributes[GEN_AI.stopSequences] = options.stopSequences as string[];
    if (options.seed !== undefined) attributes[GEN_AI.seed] = options.seed;
    if (options.outputSchema) attributes[GEN_AI.outputType] = 'json';
    return { name: model === undefined ? 'chat' : `chat ${model}`, attributes };
  }

  /** The attributes of a model call that come from the answer. */
  modelResponse(response: ChatResponse): Attributes {
    const { metadata } = response;
    const attributes: Attributes = {};
    const { id, model, usage } = metadata;
    const reasons = finishReasonsOf(response);
    const providerTools = providerToolNamesOf(response);
    if (providerTools) attributes[NESTOR.providerToolCalls] = providerTools;
    if (reasons) attributes[GEN_AI.finishReasons] = reasons;
    if (id !== undefined) attributes[GEN_AI.responseId] = id;
    if (model !== undefined) attributes[GEN_AI.responseModel] = model;
    if (usage) {
      attributes[GEN_AI.inputTokens] = usage.promptTokens;
      attributes[GEN_AI.outputTokens] = usage.completionTokens;
      if (usage.reasoningTokens !== undefined) attributes[GEN_AI.reasoningTokens] = usage.reasoningTokens;
      if (usage.cacheReadTokens !== undefined) attributes[GEN_AI.cacheReadTokens] = usage.cacheReadTokens;
      if (usage.cacheWriteTokens !== undefined) attributes[GEN_AI.cacheCreationTokens] = usage.cacheWriteTokens;
    }
    return attributes;
  }

  /**
   * The span of a tool call. A tool name that the model made up is not recorded, because it may
   * contain content.
   */
  toolSpan({ toolCall, toolDefinition }: ObservedToolCall): SpanDescription {
    if (toolDefinition) {
      const { name, attributes } = spanOfTool(toolDefinition);
      return { name, attributes: { ...attributes, [GEN_AI.toolCallId]: idOrOther(toolCall.id) } };
    }
    // Made-up names would create any number of span names.
    const attributes = { ...toolAttributes(OTHER), [GEN_AI.toolCallId]: idOrOther(toolCall.id) };
    return { name: 'execute_tool', attributes };
  }
}

/** The name of the requested model, if known. */
export function requestedModel(chatModel: ChatModel, { options }: Prompt): string | undefined {
  return options?.model ?? chatModel.defaultOptions?.model ?? chatModel.modelName;
}

/** The finish reasons of an answer. */
export function finishReasonsOf(response: ChatResponse | undefined): string[] | undefined {
  let reasons: string[] | undefined;
  for (const { metadata } of response?.results ?? []) {
    if (metadata?.finishReason !== undefined) (reasons ??= []).push(nameOrOther(metadata.finishReason));
  }
  return reasons;
}

/** The names of the tools that the provider has run, one for each call. */
function providerToolNamesOf({ results }: ChatResponse): string[] | undefined {
  let names: string[] | undefined;
  for (const { output } of results) {
    for (const { name } of output.providerToolCalls ?? []) (names ??= []).push(nameOrOther(name));
  }
  return names;
}

/** The provider of a model that does not name one. */
export const UNKNOWN_PROVIDER = 'unknown';

/** Advisors written in JavaScript may have no name. */
function nameOf({ name }: ObservedAdvisor): string {
  return typeof name === 'string' ? name : 'advisor';
}

const spanOfAdvisor = remembered((advisor: ObservedAdvisor): SpanDescription => ({
  name: toSpanName(nameOf(advisor)),
  attributes: {
    [GEN_AI.operationName]: 'framework',
    [SPRING_AI.kind]: 'advisor',
    [SPRING_AI.advisorName]: nameOf(advisor),
    [SPRING_AI.advisorOrder]: advisor.order,
  },
}));

/** Converts `Tool Calling Advisor` and `ToolCallingAdvisor` to `tool_calling`. */
function toSpanName(advisorName: string): string {
  const words = advisorName
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase();
  return words.replace(/(_around)?_advisor$/, '').replace(/^_+|_+$/g, '') || 'advisor';
}

const spanOfTool = remembered(({ name, description, inputSchema }: ToolDefinition): SpanDescription => {
  const attributes = {
    ...toolAttributes(name),
    [GEN_AI.toolDescription]: description,
    [SPRING_AI.toolSchema]: JSON.stringify(inputSchema),
  };
  return { name: `execute_tool ${name}`, attributes };
});

function toolAttributes(name: string): Attributes {
  return {
    [GEN_AI.operationName]: 'execute_tool',
    [SPRING_AI.kind]: 'tool_call',
    [GEN_AI.toolName]: name,
    [GEN_AI.toolType]: 'function',
  };
}

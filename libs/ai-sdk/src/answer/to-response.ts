import { ChatResponse, type ChatResponseMetadata, type ModelWarning, type Usage } from '@nestor-ai/core';
import { requireAnswer } from './finish.js';
import { toModelWarnings } from './model-warnings.js';
import type { FinishReason, GenerateResult, ResponseInfo, SpecificationUsage } from '../specification.js';
import { toAssistantMessage } from './to-assistant-message.js';

/**
 * Converts a complete answer of a model.
 *
 * @param provider the `provider` of the language model
 * @throws ChatModelException when it has no content
 */
export function toChatResponse(
  { content, finishReason, response, usage, providerMetadata, warnings }: GenerateResult,
  provider: string,
): ChatResponse {
  requireAnswer(finishReason, content);
  const metadata = toResponseMetadata(response, usage, providerMetadata, toModelWarnings(warnings));
  const output = toAssistantMessage(content, provider);
  return new ChatResponse({ results: [{ output, metadata: toGenerationMetadata(finishReason) }], metadata });
}

/** The finish reason of the specification, and the provider's own. */
export function toGenerationMetadata({ unified, raw }: FinishReason) {
  return { finishReason: unified, ...(raw !== undefined && { rawFinishReason: raw }) };
}

export function toResponseMetadata(
  response: ResponseInfo | undefined,
  usage: SpecificationUsage,
  providerMetadata: object | undefined,
  warnings: readonly ModelWarning[] | undefined,
): ChatResponseMetadata {
  return {
    ...(response?.id !== undefined && { id: response.id }),
    ...(response?.modelId !== undefined && { model: response.modelId }),
    ...(response?.headers && { headers: response.headers }),
    ...(warnings && { warnings }),
    ...(providerMetadata && { providerMetadata }),
    usage: toUsage(usage),
  };
}

function toUsage({ inputTokens, outputTokens, raw }: SpecificationUsage): Usage {
  const promptTokens = inputTokens.total ?? 0;
  const completionTokens = outputTokens.total ?? 0;
  const { cacheRead, cacheWrite } = inputTokens;
  const { reasoning } = outputTokens;
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(raw !== undefined && { native: raw }),
  };
}

import { ChatResponse, type ChatResponseMetadata, type Usage } from '@nestor-ai/core';
import { requireAnswer } from './finish.js';
import { toAssistantMessage } from './kept-content.js';
import type { FinishReason, GenerateResult, SpecificationUsage } from './specification.js';

/**
 * The answer of a model in one piece.
 *
 * @throws ChatModelException when it is none
 */
export function toChatResponse(result: GenerateResult): ChatResponse {
  requireAnswer(result.finishReason, result.content);
  return new ChatResponse({
    results: [{ output: toAssistantMessage(result.content), metadata: toGenerationMetadata(result.finishReason) }],
    metadata: toResponseMetadata(result.response, result.usage, result.providerMetadata),
  });
}

/** Why the model stopped, in the words of the specification and of the provider. */
export function toGenerationMetadata({ unified, raw }: FinishReason): {
  finishReason: string;
  rawFinishReason?: string;
} {
  return { finishReason: unified, ...(raw !== undefined && { rawFinishReason: raw }) };
}

export function toResponseMetadata(
  response: { id?: string | undefined; modelId?: string | undefined } | undefined,
  usage: SpecificationUsage,
  providerMetadata: object | undefined,
): ChatResponseMetadata {
  return {
    ...(response?.id !== undefined && { id: response.id }),
    ...(response?.modelId !== undefined && { model: response.modelId }),
    ...(providerMetadata && { providerMetadata }),
    usage: toUsage(usage),
  };
}

function toUsage({ inputTokens, outputTokens, raw }: SpecificationUsage): Usage {
  const promptTokens = inputTokens.total ?? 0;
  const completionTokens = outputTokens.total ?? 0;
  const { cacheRead, cacheWrite } = inputTokens;
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(raw !== undefined && { native: raw }),
  };
}

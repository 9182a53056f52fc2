import {
  type AssistantMessage,
  ChatClientContextKeys,
  type ChatClientRequest,
  ChatResponse,
  type ChatResponseMetadata,
  FinishReason,
  fromMessageJson,
  type GenerationMetadata,
  type MessageJson,
  toMessageJson,
} from '@nestor-ai/core';
import { parseJson } from '@nestor-ai/schema';
import { cleanOutput } from '@nestor-ai/core/internal';

/** A cached response as JSON. */
export interface KeptResponse {
  readonly results: readonly { readonly output: MessageJson; readonly metadata?: GenerationMetadata }[];
  readonly metadata: ChatResponseMetadata;
}

/** Converts a response for the cache. Undefined for one that may differ the next time. */
export function toKept(response: ChatResponse | undefined, { context }: ChatClientRequest): KeptResponse | undefined {
  if (!response?.result) return undefined;
  // A truncated or refused answer may be complete the next time.
  const { finishReason = FinishReason.STOP } = response.result.metadata ?? {};
  if (finishReason !== FinishReason.STOP && finishReason !== FinishReason.TOOL_CALLS) return undefined;
  // An answer without the requested format would not fit the next time either.
  const isJsonWanted = context[ChatClientContextKeys.STRUCTURED_OUTPUT_SCHEMA] !== undefined;
  if (isJsonWanted && !response.hasToolCalls() && parseJson(cleanOutput(response.text ?? '')) === undefined) {
    return undefined;
  }
  const { usage: _usage, usageByRound: _byRound, round: _round, ...rest } = response.metadata;
  return {
    results: response.results.map(({ output, metadata: facts }) => ({
      output: toMessageJson(output),
      ...(facts && { metadata: facts }),
    })),
    metadata: rest,
  };
}

/** The response, marked as cached. */
export function toResponse({ results, metadata }: KeptResponse): ChatResponse {
  return new ChatResponse({
    results: results.map(({ output, metadata: facts }) => ({
      output: fromMessageJson(output) as AssistantMessage,
      ...(facts && { metadata: facts }),
    })),
    metadata: { ...metadata, cached: true },
  });
}

import {
  type ChatClientRequest,
  type ChatResponse,
  estimateTokens,
  offeredToolDefinitions,
  type Usage,
} from '@nestor-ai/core';
import { estimateTokensOf } from '@nestor-ai/core/internal';

/** The tokens to reserve for an answer if the request has no `maxTokens`. */
export const DEFAULT_ANSWER_TOKENS = 1000;

/** The usage to expect from a round. */
export type ExpectedUsage = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/**
 * Estimates the usage of a round: the length of its messages and tools, plus the longest answer
 * that the request allows.
 */
export function expectedUsageOf({ prompt }: ChatClientRequest): ExpectedUsage {
  const { messages, options } = prompt;
  const tools = offeredToolDefinitions(options);
  return {
    promptTokens: estimateTokensOf(messages) + (tools.length > 0 ? estimateTokens(tools) : 0),
    completionTokens: options?.maxTokens ?? DEFAULT_ANSWER_TOKENS,
  };
}

/** Estimates the tokens of the answer so far by its length. */
export function tokensOf(response: ChatResponse | undefined): number {
  const output = response?.result?.output;
  return output ? estimateTokensOf([output]) : 0;
}

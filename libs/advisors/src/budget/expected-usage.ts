import {
  type ChatClientRequest,
  type ChatResponse,
  type Message,
  offeredToolDefinitions,
  type Usage,
} from '@nestor-ai/core';

/** The tokens to reserve for an answer if the request has no `maxTokens`. */
export const DEFAULT_ANSWER_TOKENS = 1000;

/** The approximate number of bytes per token, for most languages and models. */
const BYTES_PER_TOKEN = 4;

/** The usage to expect from a round. */
export type ExpectedUsage = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/**
 * Estimates the usage of a round: the length of its messages and tools, plus the longest answer
 * that the request allows.
 */
export function expectedUsageOf({ prompt }: ChatClientRequest): ExpectedUsage {
  const { messages, options } = prompt;
  const tools = offeredToolDefinitions(options);
  const bytes = messages.reduce((sum, message) => sum + bytesOf(message), tools.length > 0 ? byteLength(tools) : 0);
  return {
    promptTokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    completionTokens: options?.maxTokens ?? DEFAULT_ANSWER_TOKENS,
  };
}

/** Estimates the tokens of the answer so far by its length. */
export function tokensOf(response: ChatResponse | undefined): number {
  const output = response?.result?.output;
  if (!output) return 0;
  return Math.ceil((bytesOf(output) + Buffer.byteLength(output.reasoning ?? '')) / BYTES_PER_TOKEN);
}

function bytesOf(message: Message): number {
  if (message.role === 'tool') {
    return message.responses.reduce((sum, { responseData }) => sum + Buffer.byteLength(responseData), 0);
  }
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  const own = calls.reduce((sum, call) => sum + Buffer.byteLength(call.arguments), Buffer.byteLength(message.text));
  const ofProvider = message.role === 'assistant' ? message.providerToolCalls : undefined;
  return ofProvider ? own + byteLength(ofProvider) : own;
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

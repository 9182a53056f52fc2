import { offeredToolDefinitions } from '../../model/chat-options.js';
import type { ChatResponse } from '../../model/chat-response.js';
import type { Message } from '../../model/messages.js';
import type { Usage } from '../../model/usage.js';
import type { ChatClientRequest } from '../chat-client-exchange.js';

/** How many tokens an answer may take of which the request says nothing. */
export const DEFAULT_ANSWER_TOKENS = 1000;

/** How many bytes a token has, about, in most languages and with most models. */
const BYTES_PER_TOKEN = 4;

/** What a round is expected to take. */
export type ExpectedUsage = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/** What a round may take: its prompt by the length of its texts and tools, and as much of an answer as the request allows. */
export function expectedUsageOf({ prompt }: ChatClientRequest): ExpectedUsage {
  const { messages, options } = prompt;
  const tools = offeredToolDefinitions(options);
  const bytes = messages.reduce((sum, message) => sum + bytesOf(message), tools.length > 0 ? byteLength(tools) : 0);
  return {
    promptTokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    completionTokens: options?.maxTokens ?? DEFAULT_ANSWER_TOKENS,
  };
}

/** The tokens of what has come of an answer, by its length. */
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
  return calls.reduce((sum, call) => sum + Buffer.byteLength(call.arguments), Buffer.byteLength(message.text));
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

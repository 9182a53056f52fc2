import { estimateTokens } from '@nestor-ai/schema';
import type { Message } from './messages.js';

/** What a provider adds to each message: its role, and where it ends. */
const FRAME = 4;

/** An image, or a page of a document. Providers count by its size, which is not known here. */
const MEDIA = 1000;

/** Estimates the tokens of a message in a request, by the length of what the model reads. */
export function estimateMessageTokens(message: Message): number {
  if (message.role === 'tool') {
    return message.responses.reduce((sum, { responseData, content }) => {
      const files = content?.filter(({ type }) => type !== 'text').length ?? 0;
      return sum + FRAME + estimateTokens(responseData) + files * MEDIA;
    }, 0);
  }
  let tokens = FRAME + estimateTokens(message.text);
  if (message.role === 'system') return tokens;
  tokens += (message.media?.length ?? 0) * MEDIA;
  if (message.role === 'user') return tokens;
  for (const call of message.toolCalls ?? [])
    tokens += FRAME + estimateTokens(call.name) + estimateTokens(call.arguments);
  if (message.reasoning) tokens += estimateTokens(message.reasoning);
  if (message.providerToolCalls) tokens += estimateTokens(message.providerToolCalls);
  return tokens;
}

/** Estimates the tokens of messages in a request. */
export function estimateTokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

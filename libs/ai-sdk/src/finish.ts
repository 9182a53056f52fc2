import { ChatModelException } from '@nestor-ai/core';
import type { ContentItem, FinishReason } from './specification.js';

/** A reason that is a name, such as `MALFORMED_FUNCTION_CALL`, and not what somebody has said. */
const NAME = /^\w{1,64}$/;

/**
 * Makes sure that an answer is one: a model that ends with an error before it has said anything, as Gemini does with a tool call that it
 * could not write, has failed. What it has thought until then is no answer.
 *
 * @throws ChatModelException, which is retryable
 */
export function requireAnswer({ unified, raw }: FinishReason, content: readonly ContentItem[]): void {
  if (unified !== 'error' || content.some(isSaid)) return;
  const reason = raw !== undefined && NAME.test(raw) ? ` (${raw})` : '';
  throw new ChatModelException(`The model ended with an error${reason} before it said anything.`, {
    isRetryable: true,
  });
}

function isSaid({ type, text }: ContentItem): boolean {
  return type === 'text' ? Boolean(text) : type === 'tool-call' || type === 'file';
}

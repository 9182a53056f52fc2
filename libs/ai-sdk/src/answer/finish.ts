import { ChatModelException } from '@nestor-ai/core';
import type { ContentItem, FinishReason } from '../specification.js';

/** A reason that is a name, such as `MALFORMED_FUNCTION_CALL`, and not free text. */
const NAME = /^\w{1,64}$/;

/**
 * Checks that an answer has content. A model that ends with an error before any content has
 * failed, such as Gemini with a tool call that it could not write. Reasoning does not count as
 * content.
 *
 * @throws ChatModelException, which is retryable
 */
export function requireAnswer({ unified, raw }: FinishReason, content: readonly ContentItem[]): void {
  if (unified !== 'error' || content.some(isContent)) return;
  const reason = raw !== undefined && NAME.test(raw) ? ` (${raw})` : '';
  throw new ChatModelException(`The model ended with an error${reason} before it wrote any content.`, {
    isRetryable: true,
  });
}

const CONTENT: ReadonlySet<string> = new Set(['tool-call', 'tool-result', 'file', 'source']);

function isContent({ type, text }: ContentItem): boolean {
  return type === 'text' ? Boolean(text) : CONTENT.has(type);
}

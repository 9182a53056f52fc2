import type { UntrustedAction } from '../../model/tool-labels.js';
import { hasUntrusted, isUntrusted } from '../../model/untrusted.js';
import type { ToolCallBatch } from '../tool-call-batch.js';
import { UntrustedContentException } from './untrusted-content.exception.js';

/**
 * Whether a human must approve a call that cannot be undone, because the model may have read
 * untrusted content.
 *
 * @throws UntrustedContentException if the call must not run at all
 */
export function asksAfterUntrusted(action: UntrustedAction, batch: ToolCallBatch, toolName: string): boolean {
  const hasRead = hasReadUntrusted(batch);
  if (hasRead && action === 'refuse') throw new UntrustedContentException(toolName);
  return hasRead;
}

/**
 * Whether the model may have read untrusted content before it asked for the calls of a message.
 * The message itself is marked as well, because advisors may have sent more than the conversation
 * contains. The results of these calls do not count: the model has not read them yet.
 */
export function hasReadUntrusted({ prompt, message }: ToolCallBatch): boolean {
  return isUntrusted(message) || hasUntrusted(prompt.messages);
}

import type { ToolPolicies } from '../../model/tool-policies.js';
import type { UntrustedAction } from '../../model/tool-labels.js';
import { hasUntrusted, isUntrusted } from '../../model/untrusted.js';
import type { ToolCallBatch } from '../tool-call-batch.js';
import { UntrustedContentException } from './untrusted-content.exception.js';

/** The parts of a call that the guard needs. */
export interface GuardedCall {
  readonly toolName: string;
  /** Whether the model may have read untrusted content before it asked for the call. */
  readonly hasReadUntrusted: boolean;
}

/** Protects calls that cannot be undone from untrusted content. */
export class UntrustedContentGuard {
  private constructor(private readonly action: Exclude<UntrustedAction, 'allow'>) {}

  /** Undefined for a tool without irreversible effects, or if untrusted content is allowed. */
  static of({ effect }: ToolPolicies, action: UntrustedAction): UntrustedContentGuard | undefined {
    return effect === 'irreversible' && action !== 'allow' ? new UntrustedContentGuard(action) : undefined;
  }

  /**
   * Whether a human must approve the call.
   *
   * @throws UntrustedContentException if the call must not run at all
   */
  asksFor({ toolName, hasReadUntrusted }: GuardedCall): boolean {
    if (hasReadUntrusted && this.action === 'refuse') throw new UntrustedContentException(toolName);
    return hasReadUntrusted;
  }
}

/**
 * Whether the model may have read untrusted content before it asked for the calls of a message.
 * The message itself is marked as well, because advisors may have sent more than the conversation
 * contains. The results of these calls do not count: the model has not read them yet.
 */
export function hasReadUntrusted({ prompt, message }: ToolCallBatch): boolean {
  return isUntrusted(message) || hasUntrusted(prompt.messages);
}

import { readSafely } from '@nestor-ai/schema';
import { ToolInputRequiredException } from './tool-input-request.js';

const APPROVAL_REQUIRED = Symbol.for('nestor.ApprovalRequired');

/**
 * Thrown by a tool that only learns while it runs that its call needs approval, such as one in
 * another service. The call waits as if its own `needsApproval` had said so.
 */
export class ApprovalRequiredException extends ToolInputRequiredException {
  constructor() {
    super({ message: 'The call needs approval.' });
    Object.defineProperty(this, APPROVAL_REQUIRED, { value: true });
  }
}

/** Whether an error is an {@link ApprovalRequiredException}, from any copy of this package. */
export function isApprovalRequired(error: ToolInputRequiredException): error is ApprovalRequiredException {
  return readSafely(() => (error as unknown as Record<symbol, unknown>)[APPROVAL_REQUIRED]) === true;
}

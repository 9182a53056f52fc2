import type { ToolCallOutcome } from '../model/tool-call-outcome.js';
import { ToolInputException } from '@nestor-ai/schema';
import { isA, statusOf, ToolUnavailableException, unwrapped } from '../tool/tool-execution.exception.js';
import { ToolBusyException } from './concurrency-keys.js';
import { ToolRateLimitException } from './tool-rate-limit.js';
import { UntrustedContentException } from './trust/untrusted-content.exception.js';
import { ToolTimeoutException } from './with-timeout.js';

/** The outcome of a failed call for telemetry and logs. */
export interface ClassifiedFailure {
  readonly outcome: ToolCallOutcome;
  /** The original error, without wrappers. */
  readonly cause: unknown;
}

/** @param thrown the error of a tool or of a step before it */
export function classifyFailure(thrown: unknown): ClassifiedFailure {
  const cause = unwrapped(thrown);
  return { outcome: outcomeOf(cause), cause };
}

function outcomeOf(cause: unknown): ToolCallOutcome {
  if (isA(cause, ToolInputException)) return 'invalid_arguments';
  if (isA(cause, ToolTimeoutException) || isA(cause, ToolBusyException)) return 'timeout';
  if (isA(cause, ToolRateLimitException)) return 'rate_limited';
  if (isA(cause, ToolUnavailableException)) return 'unavailable';
  if (isA(cause, UntrustedContentException)) return 'refused';
  const status = statusOf(cause);
  // The errors of guards.
  return status === 401 || status === 403 ? 'forbidden' : 'error';
}

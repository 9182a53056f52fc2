import type { ToolCallOutcome } from '../observability/tool-call-outcome.js';
import { ToolInputException } from '../tool/input/tool-input.js';
import {
  statusOf,
  type ToolExecutionException,
  ToolUnavailableException,
  unwrapped,
} from '../tool/tool-execution.exception.js';
import { ToolBusyException } from './concurrency-keys.js';
import { ToolRateLimitException } from './tool-rate-limit.js';
import { ToolTimeoutException } from './with-timeout.js';

/** What a failed call is called in telemetry and logs. */
export interface ClassifiedFailure {
  readonly outcome: ToolCallOutcome;
  /** What was thrown, without what was put around it. */
  readonly cause: unknown;
}

export function classifyFailure(exception: ToolExecutionException): ClassifiedFailure {
  try {
    const cause = unwrapped(exception);
    return { outcome: outcomeOf(cause), cause };
  } catch {
    // What a tool throws may throw when it is looked at.
    return { outcome: 'error', cause: exception };
  }
}

function outcomeOf(cause: unknown): ToolCallOutcome {
  if (cause instanceof ToolInputException) return 'invalid_arguments';
  if (cause instanceof ToolTimeoutException || cause instanceof ToolBusyException) return 'timeout';
  if (cause instanceof ToolRateLimitException) return 'rate_limited';
  if (cause instanceof ToolUnavailableException) return 'unavailable';
  const status = statusOf(cause);
  // What guards throw.
  return status === 401 || status === 403 ? 'forbidden' : 'error';
}

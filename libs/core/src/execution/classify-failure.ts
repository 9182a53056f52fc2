import type { ToolCallOutcome } from '../observability/tool-call-outcome.js';
import { ToolInputException } from '../tool/input/tool-input.js';
import { ToolExecutionException, ToolUnavailableException } from '../tool/tool-execution.exception.js';
import { ToolRateLimitException } from './policy-runner.js';
import { ToolTimeoutException } from './with-timeout.js';

/** What a failed call is called in telemetry and logs. */
export interface ClassifiedFailure {
  readonly outcome: ToolCallOutcome;
  /** What was thrown, without what was put around it. */
  readonly cause: unknown;
}

export function classifyFailure(exception: ToolExecutionException): ClassifiedFailure {
  try {
    let cause: unknown = exception;
    while (cause instanceof ToolExecutionException && cause.isWrapped) ({ cause } = cause);
    return { outcome: outcomeOf(cause), cause };
  } catch {
    // What a tool throws may throw when it is looked at.
    return { outcome: 'error', cause: exception };
  }
}

function outcomeOf(cause: unknown): ToolCallOutcome {
  if (cause instanceof ToolInputException) return 'invalid_arguments';
  if (cause instanceof ToolTimeoutException) return 'timeout';
  if (cause instanceof ToolRateLimitException) return 'rate_limited';
  if (cause instanceof ToolUnavailableException) return 'unavailable';
  return isRefusal(cause) ? 'forbidden' : 'error';
}

/** 401 and 403: what guards throw. */
function isRefusal(cause: unknown): boolean {
  const { getStatus } = (cause ?? {}) as { getStatus?: () => unknown };
  if (typeof getStatus !== 'function') return false;
  const status = Number(getStatus.call(cause));
  return status === 401 || status === 403;
}

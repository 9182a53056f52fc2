import type { ChatResponse } from '../model/chat-response.js';

/** Decides whether to run the tool calls of a response. */
export abstract class ToolExecutionEligibilityChecker {
  abstract isToolExecutionRequired(response: ChatResponse | undefined): boolean;
}

/** Runs all tool calls. */
export class DefaultToolExecutionEligibilityChecker extends ToolExecutionEligibilityChecker {
  isToolExecutionRequired(response: ChatResponse | undefined): boolean {
    return response?.hasToolCalls() ?? false;
  }
}

/** The given checker, one for the given function, or the default. */
export function toEligibilityChecker(
  given: ToolExecutionEligibilityChecker | ((response: ChatResponse | undefined) => boolean) | undefined,
): ToolExecutionEligibilityChecker {
  if (typeof given === 'function') return { isToolExecutionRequired: given };
  return given ?? new DefaultToolExecutionEligibilityChecker();
}

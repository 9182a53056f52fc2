import type { ChatResponse } from '../model/chat-response.js';

/** Decides whether to run the tool calls of a response. */
export abstract class ToolExecutionEligibilityChecker {
  abstract isToolExecutionRequired(response: ChatResponse | undefined): boolean;
}

/** The given checker, one for the given function, or one that runs all tool calls. */
export function toEligibilityChecker(
  given: ToolExecutionEligibilityChecker | ((response: ChatResponse | undefined) => boolean) | undefined,
): ToolExecutionEligibilityChecker {
  if (typeof given === 'function') return { isToolExecutionRequired: given };
  return given ?? { isToolExecutionRequired: (response) => response?.hasToolCalls() ?? false };
}

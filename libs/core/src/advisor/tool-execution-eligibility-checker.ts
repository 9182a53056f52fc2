import type { ChatResponse } from '../model/chat-response.js';

/** Decides whether the tool calls of a response are run. */
export abstract class ToolExecutionEligibilityChecker {
  abstract isToolExecutionRequired(response: ChatResponse | undefined): boolean;
}

/** Runs whatever the model asks for. */
export class DefaultToolExecutionEligibilityChecker extends ToolExecutionEligibilityChecker {
  isToolExecutionRequired(response: ChatResponse | undefined): boolean {
    return response?.hasToolCalls() ?? false;
  }
}

/** The checker that is meant: one, a function that is one, or the default. */
export function toEligibilityChecker(
  given: ToolExecutionEligibilityChecker | ((response: ChatResponse | undefined) => boolean) | undefined,
): ToolExecutionEligibilityChecker {
  if (typeof given === 'function') return { isToolExecutionRequired: given };
  return given ?? new DefaultToolExecutionEligibilityChecker();
}

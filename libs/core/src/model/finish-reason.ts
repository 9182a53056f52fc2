/**
 * Why an answer ended. A provider may have reasons of its own besides these.
 *
 * @example
 * if (response.hasFinishReasons([FinishReason.LENGTH])) console.warn('The answer was cut off.');
 */
export const FinishReason = Object.freeze({
  /** The model has said what it had to say. */
  STOP: 'stop',
  /** The model asks for tool calls. */
  TOOL_CALLS: 'tool-calls',
  /** The model has reached the number of tokens that it may answer with. */
  LENGTH: 'length',
  /** The provider, or a `SafeGuardAdvisor`, does not let the model answer. */
  CONTENT_FILTER: 'content-filter',
  /** The provider has failed. */
  ERROR: 'error',
  /** The provider gives a reason that no other of these stands for. */
  OTHER: 'other',
  /** The results of tools are the answer. */
  RETURN_DIRECT: 'returnDirect',
  /** A tool was called more often than its limit allows. */
  TOOL_CALL_LIMIT_EXCEEDED: 'toolCallLimitExceeded',
  /** The turn has had as many rounds as it may have, and the model has answered without tools. */
  MAX_ROUNDS_EXCEEDED: 'maxRoundsExceeded',
  /** Tool calls wait for approval. */
  TOOL_APPROVAL_REQUIRED: 'toolApprovalRequired',
  /** A budget of a `UsageBudgetAdvisor` is used up. */
  BUDGET_EXCEEDED: 'budgetExceeded',
} as const);

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the type of the values of the constant
export type FinishReason = (typeof FinishReason)[keyof typeof FinishReason];

/**
 * Why an answer ended. Providers may return other reasons as well.
 *
 * @example
 * if (response.hasFinishReasons([FinishReason.LENGTH])) console.warn('The answer was cut off.');
 */
export const FinishReason = Object.freeze({
  /** The model completed its answer. */
  STOP: 'stop',
  /** The model asks for tool calls. */
  TOOL_CALLS: 'tool-calls',
  /** The answer reached the maximum number of tokens. */
  LENGTH: 'length',
  /** The provider or a `SafeGuardAdvisor` blocked the answer. */
  CONTENT_FILTER: 'content-filter',
  /** The provider failed. */
  ERROR: 'error',
  /** The provider returned a reason that none of the others covers. */
  OTHER: 'other',
  /** The tool results are the answer (`returnDirect`). */
  RETURN_DIRECT: 'returnDirect',
  /** A tool was called more often than its limit allows. */
  TOOL_CALL_LIMIT_EXCEEDED: 'toolCallLimitExceeded',
  /** The turn reached its maximum number of rounds, and the model answered without tools. */
  MAX_ROUNDS_EXCEEDED: 'maxRoundsExceeded',
  /** Tool calls wait for approval. */
  TOOL_APPROVAL_REQUIRED: 'toolApprovalRequired',
  /** A budget of a `UsageBudgetAdvisor` is used up. */
  BUDGET_EXCEEDED: 'budgetExceeded',
} as const);

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the type of its values
export type FinishReason = (typeof FinishReason)[keyof typeof FinishReason];

/** Why an answer ended: a {@link FinishReason}, or a reason that only the provider knows. */
export type AnyFinishReason = FinishReason | (string & {});

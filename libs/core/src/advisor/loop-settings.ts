import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { TOOL_CALLING_MANAGER, type ToolCallingManager } from '../execution/tool-calling-manager.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import { MAX_TIMEOUT, requirePositive } from '../tool/check-timeout.js';
import type { ToolLoopSettings } from './loop-contract.js';
import {
  DEFAULT_MAX_ROUNDS,
  DEFAULT_TURN_LEASE,
  type ToolCallingAdvisorOptions,
} from './tool-calling-advisor.options.js';
import { toEligibilityChecker } from './tool-execution-eligibility-checker.js';

/**
 * The settings of the loop from the options of its advisor.
 *
 * @throws RangeError if maxRounds is not a positive whole number, or a timer cannot wait for
 *   turnLease
 */
export function toLoopSettings(options: ToolCallingAdvisorOptions): ToolLoopSettings {
  const { maxRounds = DEFAULT_MAX_ROUNDS, turnLease = DEFAULT_TURN_LEASE } = options;
  requirePositive({ maxRounds });
  if (!(turnLease > 0 && turnLease <= MAX_TIMEOUT)) {
    throw new RangeError(
      `turnLease must be a number of milliseconds between 1 and ${MAX_TIMEOUT}, but is ${turnLease}.`,
    );
  }
  let standard: ToolCallingManager | undefined;
  return {
    managerOf: ({ scope }) =>
      options.toolCallingManager ??
      scope.services?.get(TOOL_CALLING_MANAGER) ??
      (standard ??= new DefaultToolCallingManager()),
    eligibilityChecker: toEligibilityChecker(options.toolExecutionEligibilityChecker),
    maxRounds,
    suspendedTurns: {
      repository: options.suspendedTurnRepository ?? new InMemorySuspendedTurnRepository(),
      lease: turnLease,
      rules: { policy: options.approvalPolicy, tokens: options.approvalTokens },
    },
  };
}

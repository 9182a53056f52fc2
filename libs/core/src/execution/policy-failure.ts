import { Logger } from '@nestjs/common';
import { errorTypeOf, framesOf, nameOrOther } from '../observability/error-type.js';
import { ToolUnavailableException } from '../tool/tool-execution.exception.js';

const logger = new Logger('ToolCalls');

/**
 * Tells developers of a function of the application that decides about a call and has failed: the class of what it has thrown, which is
 * nothing that a model should read.
 *
 * @param what the function, such as `needsApproval`
 */
export function logPolicyFailure(toolName: string, what: string, cause: unknown): void {
  logger.error(
    `${what} of the tool '${nameOrOther(toolName)}' has failed, so the call was not run: ${errorTypeOf(cause)}`,
    framesOf(cause),
  );
}

/**
 * What becomes of a call that cannot be decided about.
 *
 * @param told what the model reads
 */
export function undecided(toolName: string, what: string, cause: unknown, told?: string): ToolUnavailableException {
  logPolicyFailure(toolName, what, cause);
  return new ToolUnavailableException(cause, told);
}

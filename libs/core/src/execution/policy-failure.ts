import { Logger } from '@nestjs/common';
import { errorTypeOf, framesOf, nameOrOther } from '../model/error-type.js';
import { ToolUnavailableException } from '../tool/tool-execution.exception.js';

const logger = new Logger('ToolCalls');

/**
 * Logs the failure of an application's function that decides about a call. Only logs the class of
 * the error, and the model sees nothing of it.
 *
 * @param what the function, such as `needsApproval`
 */
export function logPolicyFailure(toolName: string, what: string, cause: unknown): void {
  logger.error(
    `${what} of the tool '${nameOrOther(toolName)}' failed, so the call did not run: ${errorTypeOf(cause)}`,
    framesOf(cause),
  );
}

/**
 * The exception for a call whose policy function failed.
 *
 * @param told the text for the model
 */
export function undecided(toolName: string, what: string, cause: unknown, told?: string): ToolUnavailableException {
  logPolicyFailure(toolName, what, cause);
  return new ToolUnavailableException(cause, told);
}

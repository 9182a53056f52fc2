import { Logger } from '@nestjs/common';
import { readSafely } from '../../model/read-safely.js';
import { errorTypeOf, framesOf } from '../../observability/error-type.js';
import { ToolInputException } from '../../tool/input/tool-input.js';
import { isA, ToolExecutionException, ToolUnavailableException } from '../../tool/tool-execution.exception.js';

const logger = new Logger('AiModule');

/** The error itself where it is meant for the caller of a tool. Any other is logged without its message, and hidden from the model. */
export function unlessPublic(cause: unknown, place: string): unknown {
  if (isPublicError(cause)) return cause;
  logger.error(
    `What stands around the tool ${place} has failed, so the call has no result: ${errorTypeOf(cause)}. If it is a guard, an ` +
      'interceptor or a filter for HTTP requests, have it let tool calls pass: AiToolExecutionContext.is(context). To refuse a call, throw ' +
      'an HttpException.',
    framesOf(cause),
  );
  return new ToolUnavailableException(cause);
}

/** `HttpException` and its like in other kinds of applications, and errors of tools. */
function isPublicError(error: unknown): boolean {
  if (isA(error, ToolExecutionException) || isA(error, ToolInputException)) return true;
  const has = (name: 'getStatus' | 'getError'): boolean =>
    typeof readSafely(() => (error as Partial<Record<typeof name, unknown>> | null | undefined)?.[name]) === 'function';
  return has('getStatus') || has('getError');
}

import { Logger } from '@nestjs/common';
import type { Turn } from '../../model/turn.js';
import { isInputRequired } from '../../model/tool-input-request.js';
import { readSafely, ToolInputException } from '@nestor-ai/schema';
import { classifyFailure } from '../../execution/classify-failure.js';
import { errorTypeOf, framesOf, placeOf } from '../../model/error-type.js';
import { isA, ToolExecutionException, ToolUnavailableException } from '../../tool/tool-execution.exception.js';
import type { ToolInvocation } from './tool-invocation.js';

const logger = new Logger('AiModule');

const BEGUN = 'The call has no result, but the tool had begun, and may have had an effect.';
const GIVE_REQUEST =
  'The call has no HTTP request. If the code reads one, pass it: chatClient.prompt(…).request(req). ';

/**
 * Returns the error itself if it is meant for the caller of a tool. Other errors are logged
 * without their message and hidden from the model.
 *
 * @param place how the log names the tool
 * @param during the call. Undefined for an error before its guards, or of its pipes
 */
export function unlessPublic(cause: unknown, place: string, turn: Turn, during?: ToolInvocation): unknown {
  if (isPublicError(cause)) return cause;
  // A filter that passes the error on has not failed.
  const handled = during?.failure === cause ? undefined : during?.failure;
  const what =
    handled === undefined
      ? `A guard, pipe, interceptor or dependency of the tool ${place} failed with ${errorTypeOf(cause)}`
      : `An exception filter of the tool ${place} failed with ${errorTypeOf(cause)} while it handled ${errorTypeOf(handled)} ${placeOf(handled) ?? ''}`;
  logger.error(
    `${what}, so the call has no result. ${turn.request === undefined ? GIVE_REQUEST : ''}To refuse a call, throw an HttpException. If the code is ` +
      'for HTTP requests only, let tool calls pass: AiToolExecutionContext.is(…) with the context of a guard, or with the host of a filter, which then throws the exception.',
    framesOf(cause),
  );
  return new ToolUnavailableException(cause, during && during.steps.tries > 0 ? BEGUN : undefined);
}

/** The tools that a warning was logged for. */
const warned = new WeakSet<object>();

/**
 * Warns once per tool if a guard refuses a call without a request: a guard written for HTTP then
 * finds no user, and refuses everybody.
 *
 * @param place how the log names the tool
 */
export function warnOfMissingRequest(error: unknown, tool: object, place: string, turn: Turn): void {
  if (turn.request !== undefined || classifyFailure(error).outcome !== 'forbidden' || warned.has(tool)) return;
  warned.add(tool);
  logger.warn(
    `A guard of the tool ${place} has refused a call that has no HTTP request. If the guard reads one, pass it: ` +
      'chatClient.prompt(…).request(req), or set ai.tools.find-request=true to use the HTTP request that is being handled.',
  );
}

/** `HttpException` and its like in other kinds of applications, and errors of tools. */
function isPublicError(error: unknown): boolean {
  if (isA(error, ToolExecutionException) || isA(error, ToolInputException)) return true;
  // A guard, pipe or interceptor may ask as well.
  if (isInputRequired(error)) return true;
  const has = (name: 'getStatus' | 'getError'): boolean =>
    typeof readSafely(() => (error as Partial<Record<typeof name, unknown>> | null | undefined)?.[name]) === 'function';
  return has('getStatus') || has('getError');
}

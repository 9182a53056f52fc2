import { messageOf, readSafely, UnenforceableSchemaException } from '@nestor-ai/schema';
import { ToolInputRequiredException, waitOf } from '../model/tool-input-request.js';
import type { ToolDefinition } from '../model/tool-definition.js';

/**
 * Thrown by a tool that only learns while it runs that its call needs approval, such as one in
 * another service. The call waits as if its own `needsApproval` had said so.
 */
export class ApprovalRequiredException extends ToolInputRequiredException {
  constructor() {
    super({ message: 'The call needs approval.' }, 'approval');
  }
}

/**
 * A tool call failed: the arguments were invalid, the tool threw, or its result could not be
 * converted. The message is the message of the cause. By default the model reads it.
 */
export class ToolExecutionException extends Error {
  override readonly name = 'ToolExecutionException';

  constructor(
    readonly toolDefinition: ToolDefinition,
    cause: unknown,
    /**
     * Whether this exception wraps another error, whose message may not be intended for a model.
     */
    readonly isWrapped = false,
  ) {
    super(messageOf(cause), { cause });
  }
}

/** Converts a thrown value to a tool failure. A ToolExecutionException is returned unchanged. */
export function toToolExecutionException(toolDefinition: ToolDefinition, thrown: unknown): ToolExecutionException {
  if (isA(thrown, ToolExecutionException)) return thrown;
  if (isA(thrown, UnenforceableSchemaException)) {
    return new ToolExecutionException(toolDefinition, new Error(thrown.tell(toolDefinition.name), { cause: thrown }));
  }
  return new ToolExecutionException(toolDefinition, thrown, true);
}

/** Like `instanceof`, but safe for any value: `instanceof` throws for a revoked proxy. */
export function isA<T>(thrown: unknown, type: abstract new (...args: never[]) => T): thrown is T {
  return readSafely(() => thrown instanceof type) === true;
}

/** The `cause` of an error. */
export function causeOf(error: unknown): unknown {
  return readSafely(() => (error as { cause?: unknown } | null | undefined)?.cause);
}

/** The error that was thrown originally, without wrappers. */
export function unwrapped(error: unknown): unknown {
  return isA(error, ToolExecutionException) && error.isWrapped ? unwrapped(causeOf(error)) : error;
}

/** What the code of a tool waits for. Undefined if it has failed. */
export function waitOfCode(error: unknown): ReturnType<typeof waitOf> {
  return waitOf(unwrapped(error));
}

/** The HTTP status of an error such as Nest's `HttpException`, if it has one. */
export function statusOf(error: unknown): number | undefined {
  return readSafely(() => {
    const { getStatus } = (error ?? {}) as { getStatus?: () => unknown };
    return typeof getStatus === 'function' ? Number(getStatus.call(error)) : undefined;
  });
}

/**
 * Code around a tool failed, such as a guard or a policy. The cause is not intended for the model.
 */
export class ToolUnavailableException extends Error {
  override readonly name = 'ToolUnavailableException';

  constructor(cause: unknown, message = 'The tool cannot be called now.') {
    super(message, { cause });
  }
}

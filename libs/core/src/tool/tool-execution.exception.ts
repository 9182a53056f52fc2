import { messageOf } from '../model/message-of.js';
import { readSafely } from '../model/read-safely.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { UnenforceableSchemaException } from './input/unenforceable-schema.exception.js';

/**
 * A tool call failed: the arguments did not fit, the tool threw, or its result could not be converted.
 * The message is that of the cause, and by default it is what the model reads.
 */
export class ToolExecutionException extends Error {
  override readonly name = 'ToolExecutionException';

  constructor(
    readonly toolDefinition: ToolDefinition,
    cause: unknown,
    /** It stands for something else that was thrown, which was maybe not meant to be read by a model. */
    readonly isWrapped = false,
  ) {
    super(messageOf(cause), { cause });
  }
}

/** What was thrown as a failure of the tool; a ToolExecutionException as it is. */
export function toToolExecutionException(toolDefinition: ToolDefinition, thrown: unknown): ToolExecutionException {
  if (isA(thrown, ToolExecutionException)) return thrown;
  if (isA(thrown, UnenforceableSchemaException)) {
    return new ToolExecutionException(toolDefinition, new Error(thrown.tell(toolDefinition.name), { cause: thrown }));
  }
  return new ToolExecutionException(toolDefinition, thrown, true);
}

/** As `instanceof`, of something that may be anything: a revoked proxy cannot even be asked what it is. */
export function isA<T>(thrown: unknown, type: abstract new (...args: never[]) => T): thrown is T {
  return readSafely(() => thrown instanceof type) === true;
}

/** What an error gives as its cause. */
export function causeOf(error: unknown): unknown {
  return readSafely(() => (error as { cause?: unknown } | null | undefined)?.cause);
}

/** What was thrown, without what was put around it. */
export function unwrapped(error: unknown): unknown {
  return isA(error, ToolExecutionException) && error.isWrapped ? unwrapped(causeOf(error)) : error;
}

/** The HTTP status of an error such as Nest's `HttpException`, if it has one. */
export function statusOf(error: unknown): number | undefined {
  return readSafely(() => {
    const { getStatus } = (error ?? {}) as { getStatus?: () => unknown };
    return typeof getStatus === 'function' ? Number(getStatus.call(error)) : undefined;
  });
}

/** Something around a tool has failed: a guard that breaks, a policy that throws. The cause is nothing that a model should read. */
export class ToolUnavailableException extends Error {
  override readonly name = 'ToolUnavailableException';

  constructor(cause: unknown, message = 'The tool cannot be called now.') {
    super(message, { cause });
  }
}

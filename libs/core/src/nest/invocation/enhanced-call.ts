import { Logger } from '@nestjs/common';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { ToolContext } from '../../model/tool-context.js';
import type { MethodInvoker } from '../../tool/method-tool-callback.js';
import { settleResult } from '../../tool/result/settle-result.js';
import { runMethod } from '../../tool/run-code.js';
import { messageOf } from '../../tool/tool-execution.exception.js';
import { AI_TOOL_CONTEXT_TYPE, type Method } from './method-host.js';
import type { ToolPipes } from './tool-pipes.js';

/**
 * What stands in the arguments of the execution context behind the places of request, response and next: guards
 * written for HTTP must find the caller's request in the first place, and never anything that a model wrote.
 */
export interface ToolInvocation {
  readonly args: readonly unknown[];
  readonly toolContext: ToolContext;
  /** Whether everything that stands before the tool has let the call pass. */
  hasBegun: boolean;
}

export const INVOCATION_INDEX = 3;

type Enhanced = (request: unknown, response: undefined, next: undefined, call: ToolInvocation) => Promise<unknown>;

/** The method that Nest is to call. */
export interface EnhancedMethod {
  readonly instance: Record<string, Method>;
  readonly methodName: string;
  /** The method as it was decorated. */
  readonly declared: Method;
  readonly contextId: ContextId | undefined;
  readonly inquirerId: string;
  readonly pipes: ToolPipes | undefined;
}

const logger = new Logger('AiModule');

/**
 * Calls a method behind its guards, interceptors, pipes and filters.
 *
 * Nest reads the enhancers from the function it is given. That is one of our own, which stands on the function that
 * was seen at bootstrap: whatever an instance has in its place, a bound copy or a spy, the enhancers hold.
 */
export function createEnhancedCall(creator: ExternalContextCreator, method: EnhancedMethod): MethodInvoker {
  const { instance, methodName, declared, pipes } = method;
  const run = (args: readonly unknown[], context: ToolContext): unknown =>
    // Settled here, since Nest would make a value of an Observable without progress and without an end.
    settleResult(runMethod(instance, methodName, args, context), context);
  const call = (...given: unknown[]): unknown => {
    const invocation = given[INVOCATION_INDEX] as ToolInvocation;
    const { args, toolContext } = invocation;
    invocation.hasBegun = !pipes;
    if (!pipes) return run(args, toolContext);
    return pipes(args).then((piped) => {
      invocation.hasBegun = true;
      return run(piped, toolContext);
    });
  };
  Object.setPrototypeOf(call, declared);
  Object.defineProperty(call, 'name', { value: methodName });
  const enhanced: Enhanced = creator.create(
    instance,
    call,
    methodName,
    undefined,
    undefined,
    method.contextId,
    method.inquirerId,
    { guards: true, interceptors: true, filters: true },
    AI_TOOL_CONTEXT_TYPE,
  );
  return async (args, context) => {
    const invocation: ToolInvocation = { args, toolContext: context, hasBegun: false };
    try {
      return await enhanced(context.turn.request, undefined, undefined, invocation);
    } catch (error) {
      throw invocation.hasBegun || !isProgrammingError(error)
        ? error
        : failed(`${instance.constructor.name}.${methodName}()`, error);
    }
  };
}

/** An error that nobody throws to say no. */
function isProgrammingError(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

/** A guard that was written for something else is no refusal, and its failure nothing that a model should read. */
function failed(place: string, cause: Error): Error {
  logger.error(
    `What stands before the tool ${place} has failed, so the tool cannot be called: ${messageOf(cause)} If it is a guard or an ` +
      'interceptor for HTTP requests, have it let tool calls pass: AiToolExecutionContext.is(context).',
    cause.stack,
  );
  return new Error('The tool cannot be called now.', { cause });
}

import { Logger } from '@nestjs/common';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { ToolContext } from '../../model/tool-context.js';
import type { MethodInvoker } from '../../tool/method-tool-callback.js';
import { errorTypeOf, framesOf } from '../../observability/error-type.js';
import { settleResult } from '../../tool/result/settle-result.js';
import { runMethod } from '../../tool/run-code.js';
import { ToolInputException } from '../../tool/input/tool-input.js';
import { ToolExecutionException, ToolUnavailableException } from '../../tool/tool-execution.exception.js';
import { AI_TOOL_CONTEXT_TYPE, type Method } from './method-host.js';
import type { ToolPipes } from './tool-pipes.js';

/**
 * What stands in the arguments of the execution context behind the places of request, response and next: guards
 * written for HTTP must find the caller's request in the first place, and never anything that a model wrote.
 */
export interface ToolInvocation {
  readonly args: readonly unknown[];
  readonly toolContext: ToolContext;
  /** What the tool itself has thrown, each time that it was called. */
  readonly thrown: Set<unknown>;
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
  const { instance, methodName, declared } = method;
  const run = createRun(method);
  const call = (...given: unknown[]): unknown => run(given[INVOCATION_INDEX] as ToolInvocation);
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
    const invocation: ToolInvocation = { args, toolContext: context, thrown: new Set() };
    try {
      return await enhanced(context.turn.request, undefined, undefined, invocation);
    } catch (error) {
      throw asTold(error, invocation, method);
    }
  };
}

/** Calls a method that has pipes and nothing else. */
export function createPipedCall(method: Pick<EnhancedMethod, 'instance' | 'methodName' | 'pipes'>): MethodInvoker {
  const run = createRun(method);
  return async (args, context) => {
    const invocation: ToolInvocation = { args, toolContext: context, thrown: new Set() };
    try {
      return await run(invocation);
    } catch (error) {
      throw asTold(error, invocation, method);
    }
  };
}

/** Runs the pipes and the method, and takes down what it throws. */
function createRun({
  instance,
  methodName,
  pipes,
}: Pick<EnhancedMethod, 'instance' | 'methodName' | 'pipes'>): (invocation: ToolInvocation) => unknown {
  const runWith = async (args: readonly unknown[], invocation: ToolInvocation): Promise<unknown> => {
    try {
      // Settled here, since Nest would make a value of an Observable without progress and without an end.
      const { toolContext } = invocation;
      return await settleResult(runMethod(instance, methodName, args, toolContext), toolContext);
    } catch (error) {
      invocation.thrown.add(error);
      throw error;
    }
  };
  return (invocation) =>
    pipes ? pipes(invocation.args).then((piped) => runWith(piped, invocation)) : runWith(invocation.args, invocation);
}

/**
 * What the caller of a tool is told. What the tool throws, and what was meant for the outside, as it is; a guard that breaks, as one
 * does that was written for HTTP, is no refusal, and its failure nothing that a model should read.
 */
function asTold(
  error: unknown,
  { thrown }: ToolInvocation,
  { instance, methodName }: Pick<EnhancedMethod, 'instance' | 'methodName'>,
): unknown {
  return thrown.has(error) ? error : unlessMeant(error, `${instance.constructor?.name}.${methodName}()`);
}

/** What was meant for whoever calls a tool, as it is. Of anything else developers are told, and the model only that it cannot be called. */
export function unlessMeant(cause: unknown, place: string): unknown {
  if (isMeant(cause)) return cause;
  logger.error(
    `What stands around the tool ${place} has failed, so the call has no result: ${errorTypeOf(cause)}. If it is a guard, an ` +
      'interceptor or a filter for HTTP requests, have it let tool calls pass: AiToolExecutionContext.is(context). To refuse a call, throw ' +
      'an HttpException.',
    framesOf(cause),
  );
  return new ToolUnavailableException(cause);
}

/** `HttpException` and its like in other kinds of applications, and errors of tools. */
function isMeant(error: unknown): boolean {
  if (error instanceof ToolExecutionException || error instanceof ToolInputException) return true;
  const { getStatus, getError } = (error ?? {}) as { getStatus?: unknown; getError?: unknown };
  return typeof getStatus === 'function' || typeof getError === 'function';
}

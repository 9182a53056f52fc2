import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import type { ToolContext } from '../../model/tool-context.js';
import type { ToolFunction } from '../../tool/function-tool-callback.js';
import type { EnteredTool, ToolRecord } from '../../tool/tool-record.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import type { Method, ToolTarget } from './tool-enhancers.js';
import { unlessPublic } from './tool-failure.js';
import { createToolPipes } from './tool-pipes.js';

/** How to run the code of a tool on an instance of the container. */
export type ToolCode = (instance: object, record: ToolRecord, contextId: ContextId | undefined) => EnteredTool['run'];

/** The method of an instance, behind its pipes. */
export function methodCode(target: ToolTarget, creator: ExternalContextCreator, globals: GlobalEnhancers): ToolCode {
  const { methodName, type, enhancers } = target;
  return (instance, { method }, contextId) => {
    const called = instance as Record<string, Method>;
    const showsClasses = enhancers.effective.has('pipes');
    const parameters = showsClasses || globals.countOf('pipes') > 0 ? (method?.parameters ?? []) : [];
    if (parameters.length === 0)
      return (tool, input, context) => called[methodName]!(...tool.toArguments(input, context));
    const pipes = createToolPipes(creator, { target, instance, parameters, contextId, showsClasses });
    return async (tool, input, context) => {
      const piping = pipes(tool.toArguments(input, context));
      const piped = await piping.catch((error: unknown) => {
        throw unlessPublic(error, `${type.name}.${methodName}()`, context.turn);
      });
      return called[methodName]!(...piped);
    };
  };
}

/** A function of the input and the tool context. It may be request-scoped. */
export function functionCode(functionOf: (context: ToolContext) => Awaitable<ToolFunction<unknown>>): ToolCode {
  return () => (_record, input, context) => {
    const found = functionOf(context);
    return found instanceof Promise ? found.then((made) => made(input, context)) : found(input, context);
  };
}

/** The code of a tool without the container. */
export const OWN_CODE: ToolCode = () => (record, input, context) => record.run(input, context);

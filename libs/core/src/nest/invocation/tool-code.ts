import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import type { ToolContext } from '../../model/tool-context.js';
import type { ToolFunction } from '../../tool/function-tool-callback.js';
import type { EnteredTool, ToolRecord } from '../../tool/tool-record.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import type { Method, ToolTarget } from './tool-enhancers.js';
import { unlessPublic } from './tool-failure.js';
import { createToolPipes } from './tool-pipes.js';

/** The code of a tool in the container. */
export interface ToolCode {
  /** How to run the code on an instance. */
  on(instance: object, record: ToolRecord, contextId: ContextId | undefined): EnteredTool['run'];
}

/** The method of an instance, behind its pipes. */
export class MethodCode implements ToolCode {
  constructor(
    private readonly target: ToolTarget,
    private readonly creator: ExternalContextCreator,
    private readonly globals: GlobalEnhancers,
  ) {}

  on(instance: object, record: ToolRecord, contextId: ContextId | undefined): EnteredTool['run'] {
    const { methodName, type } = this.target;
    const called = instance as Record<string, Method>;
    const pipes = this.#pipesOf(instance, record, contextId);
    if (!pipes) return (tool, input, context) => called[methodName]!(...tool.toArguments(input, context));
    return async (tool, input, context) => {
      const piping = pipes(tool.toArguments(input, context));
      const piped = await piping.catch((error: unknown) => {
        throw unlessPublic(error, `${type.name}.${methodName}()`, context.turn);
      });
      return called[methodName]!(...piped);
    };
  }

  #pipesOf(
    instance: object,
    { method }: ToolRecord,
    contextId: ContextId | undefined,
  ): ReturnType<typeof createToolPipes> | undefined {
    const showsClasses = this.target.enhancers.effective.has('pipes');
    const parameters = showsClasses || this.globals.countOf('pipes') > 0 ? (method?.parameters ?? []) : [];
    if (parameters.length === 0) return undefined;
    return createToolPipes(this.creator, { target: this.target, instance, parameters, contextId, showsClasses });
  }
}

/** A function of the input and the tool context. It may be request-scoped. */
export class FunctionCode implements ToolCode {
  constructor(private readonly functionOf: (context: ToolContext) => Awaitable<ToolFunction<unknown>>) {}

  on(): EnteredTool['run'] {
    return (_record, input, context) => {
      const found = this.functionOf(context);
      return found instanceof Promise ? found.then((made) => made(input, context)) : found(input, context);
    };
  }
}

/** The code of a tool without the container. */
export const OWN_CODE: ToolCode = {
  on: () => (record, input, context) => record.run(input, context),
};

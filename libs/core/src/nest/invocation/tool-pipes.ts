import 'reflect-metadata';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { ToolParameter } from '../../tool/declaration/method-input.js';
import { AI_TOOL_CONTEXT_TYPE, type Method } from './method-host.js';

/** Runs the pipes of a tool over its arguments. */
export type ToolPipes = (args: readonly unknown[]) => Promise<unknown[]>;

/** What Nest's own decorators say of a parameter that takes the body of a request: pipes treat arguments in the same way. */
const BODY = 3;

/** Where Nest finds the parameters of a tool. */
const TOOL_PARAMETERS = 'nestor:tool-parameters';

/** The name under which Nest knows the parameters: not that of the method, of which others may say something else. */
function nameFor(methodName: string): string {
  return `nestor.pipes.${methodName}`;
}

/**
 * Has Nest run the pipes of a method, its class and the application over the arguments. They see each argument with its class and
 * its name, as they see those of `@Body(name)`; what the application fills in, such as the `ToolContext`, they do not see.
 *
 * @param instance of the class with the method
 * @param declared the method as it was decorated
 */
export function createToolPipes(
  creator: ExternalContextCreator,
  instance: Record<string, Method>,
  methodName: string,
  declared: Method,
  parameters: readonly ToolParameter[],
  contextId: ContextId | undefined,
  inquirerId: string,
): ToolPipes {
  const name = nameFor(methodName);
  describeParameters(instance, name, parameters);
  const indexOf = new Map(parameters.map((parameter) => [parameter.name, parameter.index]));
  const collect = (...piped: unknown[]): unknown[] => piped;
  Object.setPrototypeOf(collect, declared);
  const pipe = creator.create(
    instance,
    collect,
    name,
    TOOL_PARAMETERS,
    {
      exchangeKeyForValue: (_type: number, data: unknown, [args]: unknown[][]) =>
        args?.[indexOf.get(data as string) ?? -1],
    },
    contextId,
    inquirerId,
    { guards: false, interceptors: false, filters: false },
    AI_TOOL_CONTEXT_TYPE,
  ) as (args: readonly unknown[]) => Promise<unknown[]>;
  return async (args) => {
    const piped = await pipe(args);
    const indexes = new Set(indexOf.values());
    return args.map((arg, index) => (indexes.has(index) ? piped[index] : arg));
  };
}

/** Leaves on the class what Nest reads of parameters. */
function describeParameters(instance: object, name: string, parameters: readonly ToolParameter[]): void {
  const type = instance.constructor;
  if (Reflect.hasOwnMetadata(TOOL_PARAMETERS, type, name)) return;
  const described = parameters.map((parameter) => [
    `${BODY}:${parameter.index}`,
    { index: parameter.index, data: parameter.name, pipes: [] },
  ]);
  Reflect.defineMetadata(TOOL_PARAMETERS, Object.fromEntries(described), type, name);
  const types: unknown[] = [];
  for (const parameter of parameters) types[parameter.index] = parameter.type;
  Reflect.defineMetadata('design:paramtypes', types, type.prototype as object, name);
}

import 'reflect-metadata';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import { isInstanceOf, type ToolParameter } from '@nestor-ai/schema';
import type { ToolTarget } from './tool-enhancers.js';
import { AI_TOOL_CONTEXT_TYPE } from './tool-invocation.js';

/** Runs the pipes of a tool over its arguments. */
export type ToolPipes = (args: readonly unknown[]) => Promise<unknown[]>;

/** Nest's metadata for a `@Body()` parameter. Pipes treat the arguments of tools like a body. */
const BODY = 3;

/** Nest's metadata key for parameters. */
const TOOL_PARAMETERS = 'nestor:tool-parameters';

/** Describes a tool for Nest's pipes. */
export interface PipedMethod {
  readonly target: ToolTarget;
  readonly instance: object;
  readonly parameters: readonly ToolParameter[];
  readonly contextId: ContextId | undefined;
  /**
   * Whether pipes see the classes of the arguments. If so, a global `ValidationPipe` would
   * validate them again, so this is only set for pipes on the tool itself.
   */
  readonly showsClasses: boolean;
}

/**
 * Runs the pipes of the method, the class and the application. They see each argument with its
 * name, like `@Body(name)`. They don't see arguments that Nestor fills in, such as the
 * `ToolContext`.
 */
export function createToolPipes(creator: ExternalContextCreator, method: PipedMethod): ToolPipes {
  const { instance, parameters, contextId } = method;
  const { type, declared, inquirerId } = method.target;
  const host = isInstanceOf(instance, type.prototype) ? instance : (Object.create(type.prototype) as object);
  const name = describeParameters(method, host.constructor);
  const indexOf = new Map(parameters.map((parameter) => [parameter.name, parameter.index]));
  const collect = (...piped: unknown[]): unknown[] => piped;
  Object.setPrototypeOf(collect, declared);
  const pipe = creator.create(
    host,
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

/**
 * Stores the parameter metadata for Nest on the class.
 *
 * @returns the key of the metadata. It differs from the method's name, which may have other
 *   metadata, and is unique per provider, since providers may share a class.
 */
function describeParameters({ target, parameters, showsClasses }: PipedMethod, type: object): string {
  const { declared, methodName, inquirerId } = target;
  const isStatic = Object.hasOwn(type, methodName) && (type as Record<string, unknown>)[methodName] === declared;
  const name = [
    'nestor.pipes',
    inquirerId,
    isStatic ? 'static' : 'method',
    showsClasses ? 'classes' : 'plain',
    methodName,
  ].join('.');
  if (Reflect.hasOwnMetadata(TOOL_PARAMETERS, type, name)) return name;
  const described = parameters.map((parameter) => [
    `${BODY}:${parameter.index}`,
    { index: parameter.index, data: parameter.name, pipes: [] },
  ]);
  Reflect.defineMetadata(TOOL_PARAMETERS, Object.fromEntries(described), type, name);
  const types: unknown[] = [];
  for (const parameter of parameters) types[parameter.index] = showsClasses ? parameter.type : plain(parameter.type);
  Reflect.defineMetadata('design:paramtypes', types, (type as { prototype: object }).prototype, name);
  return name;
}

/** The types that pipes don't instantiate. Other types are hidden as `Object`. */
function plain(type: unknown): unknown {
  return [String, Number, Boolean, Array, Date, undefined].includes(type as undefined) ? type : Object;
}

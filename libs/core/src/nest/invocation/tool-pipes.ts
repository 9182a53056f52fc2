import 'reflect-metadata';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';
import type { ToolParameter } from '../../tool/declaration/method-input.js';
import { isInstanceOf } from '../../tool/type.js';
import type { ToolTarget } from './tool-enhancers.js';
import { AI_TOOL_CONTEXT_TYPE } from './tool-invocation.js';

/** Runs the pipes of a tool over its arguments. */
export type ToolPipes = (args: readonly unknown[]) => Promise<unknown[]>;

/** What Nest's own decorators say of a parameter that takes the body of a request: pipes treat arguments in the same way. */
const BODY = 3;

/** Where Nest finds the parameters of a tool. */
const TOOL_PARAMETERS = 'nestor:tool-parameters';

/** What Nest is told of a tool whose pipes it is to run. */
export interface PipedMethod {
  readonly target: ToolTarget;
  readonly instance: object;
  readonly parameters: readonly ToolParameter[];
  readonly contextId: ContextId | undefined;
  /**
   * Whether pipes are told the classes of arguments. What has been made an instance and validated would be made and validated once
   * more by the `ValidationPipe` of an application, which is right only where it stands on the tool itself.
   */
  readonly showsClasses: boolean;
}

/**
 * Has Nest run the pipes of a method, its class and the application over the arguments. They see each argument with its name, as
 * they see those of `@Body(name)`; what the application fills in, such as the `ToolContext`, they do not see.
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
 * Leaves on the class what Nest reads of parameters.
 *
 * @returns the name under which Nest finds them: not that of the method, of which others may say something else, and another one for
 *   each provider, since classes may share what stands on them
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

/** Types that pipes do not make instances of. */
function plain(type: unknown): unknown {
  return [String, Number, Boolean, Array, Date, undefined].includes(type as undefined) ? type : Object;
}

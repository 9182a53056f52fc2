import 'reflect-metadata';
import { ToolContext } from '@nestor-ai/core';
import { Handler, type HandlerOptions, remembered } from '@nestor-ai/core/internal';

type AnyFunction = (...args: never[]) => unknown;

/** A method of the same class, by name, or a function. */
export type SideMethod = string | AnyFunction;

/** Where a decorator is applied. */
export interface DecoratedPlace {
  readonly target: object;
  readonly methodName: string;
  readonly descriptor: PropertyDescriptor;
}

/**
 * Declares a method that serves another one, such as the completion of its arguments. A named
 * method has its own guards, and those of the class. A function becomes a method that has the
 * guards and other enhancers of the decorated method.
 *
 * @param side how the options of the decorator give it
 * @param role what it is for, in error messages and in the name of the method: `list`
 * @throws TypeError if the class has no such method
 */
export function declareSideMethod(
  place: DecoratedPlace,
  side: SideMethod,
  role: string,
  options: HandlerOptions,
): void {
  const { target, methodName } = place;
  if (typeof side === 'function') return declareFunction(place, side, role, options);
  const value: unknown = (target as Record<string, unknown>)[side];
  if (typeof value !== 'function') {
    throw new TypeError(
      `The ${role} of ${nameOf(target)}.${methodName}() names the method '${side}', which the class does not have.`,
    );
  }
  Handler(options)(target, side, { value });
}

function declareFunction(
  { target, methodName, descriptor }: DecoratedPlace,
  side: AnyFunction,
  role: string,
  options: HandlerOptions,
): void {
  const name = `${methodName} (${role})`;
  // Decorators above this one may replace the method, so its enhancers are looked up on use.
  const methodFor = remembered((decorated: object): unknown => {
    const method = function (this: unknown, ...args: never[]): unknown {
      return side.apply(this, args);
    };
    return Object.setPrototypeOf(method, decorated);
  });
  Object.defineProperty(target, name, {
    get(this: Record<string, object>) {
      return methodFor(this[methodName]!);
    },
    configurable: true,
  });
  const types = options.inputType ? [options.inputType, ToolContext] : [ToolContext];
  Reflect.defineMetadata('design:paramtypes', types, target, name);
  Handler(options)(target, name, { value: methodFor(descriptor.value as object) });
}

function nameOf(target: object): string {
  return typeof target === 'function' ? target.name : target.constructor.name;
}

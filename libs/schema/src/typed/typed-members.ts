import { lineageOf, type Type } from '../type.js';
import type { MethodTypes, PropertyTypes } from './class-types.js';
import { hasTypes, type LoadedTypes, ownTypesOf } from './loaded-types.js';

/** The types of a method, and what they belong to. */
export interface TypedMethod {
  readonly types: MethodTypes;
  /** The types of the class, which know the classes that schemas refer to. */
  readonly of: LoadedTypes;
  /** The prototype or class that declares the method. */
  readonly holder: object;
}

/** The types of a property, and what they belong to. */
export interface TypedProperty {
  readonly types: PropertyTypes;
  readonly of: LoadedTypes;
}

/**
 * The types of a method. The nearest class that declares the method decides: an override in a
 * class without types has none.
 *
 * @param target the prototype, or the class of a static method
 * @throws ToolDeclarationException when the types of its class cannot be used
 */
export function typedMethodOf(target: object, methodName: string): TypedMethod | undefined {
  const isStatic = typeof target === 'function';
  if (!hasTypes(isStatic ? target : target.constructor)) return undefined;
  for (let at: object | null = target; isMember(at); at = Object.getPrototypeOf(at) as object | null) {
    const of = ownTypesOf(isStatic ? at : Object.getOwnPropertyDescriptor(at, 'constructor')?.value);
    const types = ownValue(isStatic ? of?.types.statics : of?.types.methods, methodName);
    if (of && types) return { types, of, holder: at };
    if (Object.hasOwn(at, methodName)) return undefined;
  }
  return undefined;
}

/**
 * The types of a property of a class, from the nearest class that has some.
 *
 * @throws ToolDeclarationException when the types of a class cannot be used
 */
export function typedPropertyOf(type: Type, name: string): TypedProperty | undefined {
  if (!hasTypes(type)) return undefined;
  for (const at of lineageOf(type)) {
    const of = ownTypesOf(at);
    const types = ownValue(of?.types.properties, name);
    if (of && types) return { types, of };
  }
  return undefined;
}

/** The names of the properties that a class and its ancestors have types of. */
export function typedNamesOf(type: Type): ReadonlySet<string> {
  if (!hasTypes(type)) return new Set();
  return new Set(lineageOf(type).flatMap((at) => Object.keys(ownTypesOf(at)?.types.properties ?? {})));
}

function isMember(at: object | null): at is object {
  return at !== null && at !== Object.prototype && at !== Function.prototype;
}

function ownValue<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

import 'reflect-metadata';
import { readSourceParameters } from '../schema/source-parameters.js';
import type { ParameterTypes } from '../typed/class-types.js';
import { BUILD_AGAIN } from '../typed/loaded-types.js';
import { type TypedMethod, typedMethodOf } from '../typed/typed-members.js';
import { classByTypes } from '../typed/class-by-types.js';
import { type Injection, injectionFor } from './injected-parameter.js';
import { describeMethod, type MethodSource } from './parameter-names.js';
import { ToolDeclarationException } from './tool-declaration.exception.js';

/** A parameter of a method. */
export interface MethodParameter {
  readonly index: number;
  /** The class: emitted by TypeScript, else from types. */
  readonly type: unknown;
  /** What types and comments say, if they are known. */
  readonly types: ParameterTypes | undefined;
  /** How the application fills it. Undefined if the value comes from the model. */
  readonly inject: Injection | undefined;
}

/** The parameters of a method, and its types. */
export interface MethodParameters {
  readonly typed: TypedMethod | undefined;
  readonly list: readonly MethodParameter[];
}

type Method = (...args: never[]) => unknown;

/**
 * Reads the parameters of a method from its types, and from what TypeScript emitted.
 *
 * @param isDeclared whether the tool declares its whole input, so that only emitted types matter
 * @throws ToolDeclarationException when the types do not fit the method
 */
export function readMethodParameters(source: MethodSource, isDeclared: boolean): MethodParameters {
  const typed = typedMethodOf(source.target, source.methodName);
  if (!typed) return { typed, list: emittedTypes(source, isDeclared).map((type, index) => parameter(index, type)) };
  const { types, holder, of } = typed;
  const emitted = ownEmittedTypes(holder, source.methodName);
  refuseOtherCount(source, typed, emitted);
  return {
    typed,
    list: types.parameters.map((one, index) => {
      const type = emitted?.[index];
      return parameter(index, isKnown(type) ? type : (classByTypes(one, of) ?? type), one);
    }),
  };
}

/** Whether TypeScript emitted a useful type. */
export function isKnown(type: unknown): boolean {
  return type !== undefined && type !== Object;
}

function parameter(index: number, type: unknown, types?: ParameterTypes): MethodParameter {
  return { index, type, types, inject: injectionFor(type, types) };
}

/**
 * Compares the number of parameters with that of the method. A decorator may have replaced the
 * method by a function whose parameters say nothing.
 *
 * @throws ToolDeclarationException when they differ
 */
function refuseOtherCount(
  source: MethodSource,
  { types: { parameters } }: TypedMethod,
  emitted: readonly unknown[] | undefined,
): void {
  const method = (source.target as Record<string, Method | undefined>)[source.methodName];
  if (!method) return;
  const count = emitted?.length ?? (method.length === parameters.length ? method.length : countInSource(method));
  if (count === undefined || count === parameters.length) return;
  throw new ToolDeclarationException(
    `${describeMethod(source)} has ${count} ${count === 1 ? 'parameter' : 'parameters'}, but its types have ${parameters.length}: ` +
      `they are older or newer than the code. ${BUILD_AGAIN}`,
  );
}

function countInSource(method: Method): number | undefined {
  const parameters = readSourceParameters(method);
  return parameters?.some(({ isRest }) => isRest) ? undefined : parameters?.length;
}

/** The types that TypeScript emitted for the method that a class declares itself. */
function ownEmittedTypes(holder: object, methodName: string): readonly unknown[] | undefined {
  // A class decorator may have replaced the class that has the method by a subclass.
  const read = Object.hasOwn(holder, methodName) ? Reflect.getOwnMetadata : Reflect.getMetadata;
  const emitted: unknown = read('design:paramtypes', holder, methodName);
  return Array.isArray(emitted) ? emitted : undefined;
}

/** The emitted parameter types, from the class or its nearest ancestor. */
function emittedTypes(source: MethodSource, isDeclared: boolean): readonly unknown[] {
  const { target, methodName } = source;
  const emitted: unknown = Reflect.getMetadata('design:paramtypes', target, methodName);
  if (Array.isArray(emitted))
    return isOverride(target, methodName) ? cutToMethod(emitted, target, methodName) : emitted;
  const method = (target as Record<string, Method | undefined>)[methodName];
  if (isDeclared) return [];
  // The length of a function only counts parameters before the first one with a default value.
  const length = (method && readSourceParameters(method)?.length) ?? method?.length ?? 0;
  return Array.from({ length }, () => undefined);
}

/** Whether the types were emitted for a method of a superclass that this method overrides. */
function isOverride(target: object, methodName: string): boolean {
  return Object.hasOwn(target, methodName) && !Reflect.hasOwnMetadata('design:paramtypes', target, methodName);
}

/** An overriding method may have fewer parameters than the overridden one. */
function cutToMethod(types: readonly unknown[], target: object, methodName: string): readonly unknown[] {
  const method = (target as Record<string, Method>)[methodName]!;
  const parameters = readSourceParameters(method);
  return parameters ? types.slice(0, parameters.length) : types;
}

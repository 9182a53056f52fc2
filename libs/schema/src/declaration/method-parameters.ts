import 'reflect-metadata';
import { isMinified, readSourceParameters, type SourceParameter } from '../schema/source-parameters.js';
import { classNameOf } from '../type.js';
import type { ParameterTypes } from '../typed/class-types.js';
import { BUILD_AGAIN, classByTypes } from '../typed/loaded-types.js';
import { type TypedMethod, typedMethodOf } from '../typed/typed-members.js';
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
  refuseOtherParameters(source, typed, emitted);
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
  return type !== undefined && type !== Object && type !== Function;
}

function parameter(index: number, type: unknown, types?: ParameterTypes): MethodParameter {
  return { index, type, types, inject: injectionFor(type, types) };
}

/**
 * Compares the parameters of the types with those of the method. Where the order differs, values
 * would go to other parameters. A decorator may have replaced the method by a function whose
 * parameters say nothing.
 *
 * @throws ToolDeclarationException when they differ
 */
function refuseOtherParameters(
  source: MethodSource,
  { types: { parameters } }: TypedMethod,
  emitted: readonly unknown[] | undefined,
): void {
  const method = (source.target as Record<string, Method | undefined>)[source.methodName];
  if (!method) return;
  const written = readSourceParameters(method);
  const count = emitted?.length ?? (written?.some(({ isRest }) => isRest) ? undefined : written?.length);
  if (count !== undefined && count !== parameters.length) {
    const has = `has ${count} ${count === 1 ? 'parameter' : 'parameters'}`;
    throw stale(source, `${has}, but its types have ${parameters.length}`);
  }
  if (!written || isMinified(method, { name: classNameOf(source.target) })) return;
  const at = parameters.findIndex(({ name }, index) => isOtherName(written[index], name));
  if (at < 0) return;
  throw stale(
    source,
    `has '${written[at]!.name}' as parameter ${at + 1}, but its types have '${parameters[at]!.name}'`,
  );
}

/** Bundlers add numbers and underscores to names, and minifiers replace them by short ones. */
function isOtherName(written: SourceParameter | undefined, name: string | undefined): boolean {
  if (!written?.name || !name || written.isRest || written.name.length <= 2) return false;
  const [now, before] = [written.name, name].map((text) => text.replace(/^_+/, '')) as [string, string];
  return !now.startsWith(before) || !/^[$_]?\d*$/.test(now.slice(before.length));
}

const stale = (source: MethodSource, text: string): ToolDeclarationException =>
  new ToolDeclarationException(
    `${describeMethod(source)} ${text}: they are older or newer than the code. ${BUILD_AGAIN}`,
  );

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
  return parameters ? parameters.map((_one, index) => types[index]) : types;
}

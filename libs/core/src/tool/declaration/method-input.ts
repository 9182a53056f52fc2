import 'reflect-metadata';
import type { JsonSchema } from '../../model/json-schema.js';
import { ToolContext } from '../../model/tool-context.js';
import { DtoInput } from '../input/dto-input.js';
import { declaredInput } from '../input/declared-input.js';
import { ObjectInput, type ObjectProperty } from '../input/object-input.js';
import { isStandardSchema, StandardSchemaInput } from '../input/standard-schema-input.js';
import type { ToolInput } from '../input/tool-input.js';
import { isDto } from '../schema/class-description.js';
import { reviveParameter } from '../schema/revive.js';
import { readSourceParameters } from '../schema/source-parameters.js';
import { schemaOfType } from '../schema/type-schema.js';
import { isType } from '../type.js';
import { describeMethod, type MethodSource, ParameterNames } from './parameter-names.js';
import { ToolDeclarationException } from './tool-declaration.exception.js';
import { findParameterParam } from './tool-param.decorator.js';

/** A parameter whose value comes from the model. */
export interface ToolParameter {
  /** The index in the argument list. */
  readonly index: number;
  /** The argument name. Undefined for a parameter that receives the whole input. */
  readonly name?: string;
  /** The class of the parameter, if known. */
  readonly type: unknown;
}

/** Describes, parses and arranges the arguments of a method. */
export interface MethodInput {
  readonly input: ToolInput;
  /** The parameters without those that the application fills in. */
  readonly parameters: readonly ToolParameter[];
  /** Returns the argument list for the method from the parsed input. */
  toArguments(value: unknown, context: ToolContext): unknown[];
}

type Injection = (context: ToolContext) => unknown;

/**
 * Determines how to call a method. The first match wins: `inputSchema` or `inputType`; a single
 * parameter whose class has class-validator decorators; each parameter by itself.
 *
 * @throws ToolDeclarationException that names class, method and parameter if something is unknown
 */
export function readMethodInput(source: MethodSource): MethodInput {
  const declared = declaredInput(source.options);
  const types = parameterTypes(source, declared !== undefined);
  const injections = types.map(injectionFor);
  const whole = declared ?? onlyClassInput(source, types, injections);
  if (!whole) return oneByOne(source, types, injections);
  return wholeMethodInput(whole, injections, (index) => source.options.inputType ?? types[index]);
}

/** A single parameter with a class type describes the whole input. */
function onlyClassInput(
  { target, methodName, options }: MethodSource,
  types: readonly unknown[],
  injections: readonly (Injection | undefined)[],
): ToolInput | undefined {
  const only = injections.findIndex((injection) => !injection);
  if (only < 0 || only !== injections.findLastIndex((injection) => !injection)) return undefined;
  const type = types[only];
  if (!isType(type) || findParameterParam(target, methodName, only)) return undefined;
  return isDto(type) ? new DtoInput(type, options.unknownArguments) : undefined;
}

/**
 * The method receives the whole input, then the context. Parameters injected by type keep their
 * position.
 */
function wholeMethodInput(
  input: ToolInput,
  injections: readonly (Injection | undefined)[],
  typeAt: (index: number) => unknown,
): MethodInput {
  const at = Math.max(
    injections.findIndex((injection) => !injection),
    0,
  );
  const parameters = [{ index: at, type: typeAt(at) }];
  const injectsNothing = injections.every((injection) => !injection);
  if (injectsNothing) return { input, parameters, toArguments: (value, context) => [value, context] };
  return {
    input,
    parameters,
    toArguments: (value, context) =>
      injections.map((inject, index) => (inject ? inject(context) : index === at ? value : context)),
  };
}

function oneByOne(
  source: MethodSource,
  types: readonly unknown[],
  injections: readonly (Injection | undefined)[],
): MethodInput {
  const names = new ParameterNames(source, types.length);
  const properties: ObjectProperty[] = [];
  const parameters: ToolParameter[] = [];
  const readers = types.map((type, index): ((value: Record<string, unknown>, context: ToolContext) => unknown) => {
    const inject = injections[index];
    if (inject) return (_value, context) => inject(context);
    const property = readParameter(source, type, index, names);
    if (properties.some(({ name }) => name === property.name)) {
      throw new ToolDeclarationException(`${describeMethod(source)} has two parameters named '${property.name}'.`);
    }
    properties.push(property);
    parameters.push({ index, name: property.name, type });
    return (value) => (Object.hasOwn(value, property.name) ? value[property.name] : undefined);
  });
  return {
    input: new ObjectInput(properties, source.options.unknownArguments),
    parameters,
    toArguments: (value, context) => readers.map((read) => read(value as Record<string, unknown>, context)),
  };
}

function readParameter(source: MethodSource, type: unknown, index: number, names: ParameterNames): ObjectProperty {
  const declared = findParameterParam(source.target, source.methodName, index);
  const name = declared?.name ?? names.nameOf(index);
  const defaultValue = names.defaultOf(index);
  // Compilers emit no type for `limit = 10`, but the default value has a type.
  const reflected = isKnown(type) || defaultValue === undefined ? type : defaultValue.constructor;
  const where = (): string => `Parameter '${name}' (number ${index + 1}) of ${describeMethod(source)}`;
  const { type: declaredType, schema: given } = declared ?? {};
  const standard = isStandardSchema(given) ? new StandardSchemaInput(given) : undefined;
  const schema = standard?.schema ?? (given as JsonSchema | undefined);
  const acceptsNothing = standard?.acceptsNothing === true;
  return {
    name,
    schema: (nested) =>
      withHints(
        schemaOfType({ declared: { type: declaredType, schema }, reflected, where, nested }),
        declared?.description,
        defaultValue,
      ),
    required: declared?.required ?? !(acceptsNothing || names.hasDefault(index)),
    isUserSchema: given !== undefined,
    isNullable: declared?.nullable === true,
    revive: standard ? undefined : reviveParameter(declared, reflected),
    standard,
    acceptsNothing,
  };
}

function withHints(schema: JsonSchema, description: string | undefined, defaultValue: unknown): JsonSchema {
  if (!description && defaultValue === undefined) return schema;
  return {
    ...schema,
    ...(description && { description }),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
}

const TOOL_CONTEXT_NAME = ToolContext.name;

function injectionFor(type: unknown): Injection | undefined {
  if (type === ToolContext) return (context) => context;
  if (type === AbortSignal) return (context) => context.signal;
  // The ToolContext class of another copy of this package.
  if (isType(type) && type.name === TOOL_CONTEXT_NAME && 'reportProgress' in (type.prototype as object)) {
    return (context) => context;
  }
  return undefined;
}

function isKnown(type: unknown): boolean {
  return type !== undefined && type !== Object;
}

/** The emitted parameter types, from the class or its nearest ancestor. */
function parameterTypes(source: MethodSource, isDeclared: boolean): readonly unknown[] {
  const { target, methodName } = source;
  const emitted: unknown = Reflect.getMetadata('design:paramtypes', target, methodName);
  if (Array.isArray(emitted))
    return isOverride(target, methodName) ? cutToMethod(emitted, target, methodName) : emitted;
  const method = (target as Record<string, ((...args: never[]) => unknown) | undefined>)[methodName];
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
  const method = (target as Record<string, (...args: never[]) => unknown>)[methodName]!;
  const parameters = readSourceParameters(method);
  return parameters ? types.slice(0, parameters.length) : types;
}

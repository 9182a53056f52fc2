import type { JsonSchema } from '../json/json-schema.js';
import { DtoInput } from '../input/dto-input.js';
import { declaredInput } from '../input/declared-input.js';
import { ObjectInput, type ObjectProperty } from '../input/object-input.js';
import { isStandardSchema, type StandardSchema, StandardSchemaInput } from '../input/standard-schema-input.js';
import type { ToolInput } from '../input/tool-input.js';
import { isDto } from '../schema/class-description.js';
import { reviveParameter } from '../schema/revive.js';
import { schemaOfType } from '../schema/type-schema.js';
import { isType } from '../type.js';
import type { MethodTypes } from '../typed/class-types.js';
import type { TypedMethod } from '../typed/typed-members.js';
import { isKnown, type MethodParameter, type MethodParameters, readMethodParameters } from './method-parameters.js';
import type { CallContext } from './injected-parameter.js';
import { describeMethod, type MethodSource, ParameterNames } from './parameter-names.js';
import { ToolDeclarationException } from './tool-declaration.exception.js';
import { describesValue, findParameterParam, type ToolParamOptions } from './tool-param.decorator.js';
import { typedParameter } from './typed-parameter.js';

/** A parameter whose value comes from the model. */
export interface ToolParameter {
  /** The index in the argument list. */
  readonly index: number;
  /** The argument name. Undefined for a parameter that receives the whole input. */
  readonly name?: string;
  /** The class of the parameter, if known. */
  readonly type: unknown;
}

/**
 * Where the schema of a value comes from: the options of `@Tool()`, a class with decorators,
 * `@ToolParam()`, types that the compiler plugin read, or what TypeScript emits.
 */
export type InputSource = 'Tool' | 'class' | 'ToolParam' | 'types' | 'emitted';

/** Where the parts of a tool's definition come from. */
export interface ToolInputSources {
  /** `name`: the words of the tool's name. `configuration`: `ai.tools.overrides`. */
  readonly description: 'configuration' | 'Tool' | 'types' | 'name';
  /** The source of the whole input: the options of `@Tool()`, or the only parameter, a class. */
  readonly input?: Extract<InputSource, 'Tool' | 'class'>;
  /** By the name of the argument. Missing if one source describes the whole input. */
  readonly parameters?: Readonly<Record<string, Extract<InputSource, 'ToolParam' | 'types' | 'emitted'>>>;
}

/** Describes, parses and arranges the arguments of a method. */
export interface MethodInput {
  /** What types and comments say about the method, if they are known. */
  readonly types: MethodTypes | undefined;
  readonly input: ToolInput;
  readonly sources: ToolInputSources;
  /** The parameters without those that the application fills in. */
  readonly parameters: readonly ToolParameter[];
  /** Returns the argument list for the method from the parsed input. */
  toArguments(value: unknown, context: CallContext): unknown[];
}

/**
 * Determines how to call a method. The first match wins: `inputSchema` or `inputType`; a single
 * parameter whose class has class-validator decorators; each parameter by itself.
 *
 * @throws ToolDeclarationException that names class, method and parameter if something is unknown
 */
export function readMethodInput(source: MethodSource): MethodInput {
  const declared = declaredInput(source.options);
  const parameters = readMethodParameters(source, declared !== undefined);
  if (declared) return wholeMethodInput(declared, 'Tool', source, parameters);
  const ofClass = onlyClassInput(source, parameters);
  return ofClass ? wholeMethodInput(ofClass, 'class', source, parameters) : oneByOne(source, parameters);
}

/** A single parameter with a class type describes the whole input. */
function onlyClassInput(
  { target, methodName, options }: MethodSource,
  { list }: MethodParameters,
): DtoInput | undefined {
  const [only, another] = list.filter(({ inject }) => !inject);
  if (!only || another || !isType(only.type) || findParameterParam(target, methodName, only.index)) return undefined;
  return isDto(only.type) ? new DtoInput(only.type, options.unknownArguments) : undefined;
}

/**
 * The method receives the whole input, then the context. Parameters injected by type keep their
 * position.
 */
function wholeMethodInput(
  input: ToolInput,
  from: 'Tool' | 'class',
  { options }: MethodSource,
  { list, typed }: MethodParameters,
): MethodInput {
  const at = Math.max(
    list.findIndex(({ inject }) => !inject),
    0,
  );
  const parameters = [{ index: at, type: options.inputType ?? list[at]?.type }];
  const injectsNothing = list.every(({ inject }) => !inject);
  const toArguments: MethodInput['toArguments'] = injectsNothing
    ? (value, context) => [value, context]
    : (value, context) => list.map(({ inject, index }) => (inject ? inject(context) : index === at ? value : context));
  return {
    types: typed?.types,
    input,
    sources: { description: describedBy(options, typed), input: from },
    parameters,
    toArguments,
  };
}

function oneByOne(source: MethodSource, { list, typed }: MethodParameters): MethodInput {
  const names = new ParameterNames(source, list.length);
  const properties: ObjectProperty[] = [];
  const sources: Record<string, 'ToolParam' | 'types' | 'emitted'> = {};
  const parameters: ToolParameter[] = [];
  const readers = list.map((parameter): ((value: Record<string, unknown>, context: CallContext) => unknown) => {
    const { index, inject, type } = parameter;
    if (inject) return (_value, context) => inject(context);
    const declared = findParameterParam(source.target, source.methodName, index);
    const property = readParameter(source, parameter, { typed, declared, names });
    if (property.name === '__proto__')
      throw new ToolDeclarationException(`${describeMethod(source)} has a parameter named __proto__. Rename it.`);
    if (properties.some(({ name }) => name === property.name)) {
      throw new ToolDeclarationException(`${describeMethod(source)} has two parameters named '${property.name}'.`);
    }
    properties.push(property);
    sources[property.name] = describesValue(declared) ? 'ToolParam' : parameter.types?.schema ? 'types' : 'emitted';
    parameters.push({ index, name: property.name, type });
    return (value) => (Object.hasOwn(value, property.name) ? value[property.name] : undefined);
  });
  return {
    types: typed?.types,
    input: new ObjectInput(properties, source.options.unknownArguments),
    sources: { description: describedBy(source.options, typed), parameters: sources },
    parameters,
    toArguments: (value, context) => readers.map((read) => read(value as Record<string, unknown>, context)),
  };
}

function describedBy(
  { description }: MethodSource['options'],
  typed: TypedMethod | undefined,
): ToolInputSources['description'] {
  if (description?.trim()) return 'Tool';
  return typed?.types.description?.trim() ? 'types' : 'name';
}

/** Each option of `@ToolParam` takes precedence over types, and types over what is emitted. */
function readParameter(
  source: MethodSource,
  parameter: MethodParameter,
  {
    typed,
    declared,
    names,
  }: { typed: TypedMethod | undefined; declared: ToolParamOptions | undefined; names: ParameterNames },
): ObjectProperty {
  const { index, types } = parameter;
  const name = declared?.name ?? types?.name ?? names.nameOf(index);
  if (!typed || !types || describesValue(declared))
    return declaredParameter(source, parameter, { name, declared, names });
  if (types.error !== undefined) throw new ToolDeclarationException(types.error);
  return types.schema
    ? typedParameter(name, types.schema, { types, of: typed.of, declared })
    : declaredParameter(source, parameter, { name, declared, names });
}

/** @throws ToolDeclarationException that names the parameter when the schema cannot be expressed as JSON Schema */
function standardInput(schema: StandardSchema, where: () => string): StandardSchemaInput {
  try {
    return new StandardSchemaInput(schema);
  } catch (error) {
    throw new ToolDeclarationException(`${where()}: ${(error as Error).message}`, { cause: error });
  }
}

/** A parameter whose schema comes from `@ToolParam`, or from what TypeScript emitted. */
function declaredParameter(
  source: MethodSource,
  { index, type, types }: MethodParameter,
  { name, declared, names }: { name: string; declared: ToolParamOptions | undefined; names: ParameterNames },
): ObjectProperty {
  const defaultValue = names.defaultOf(index);
  // Compilers emit no type for `limit = 10`, but the default value has a type.
  const reflected = isKnown(type) || defaultValue === undefined ? type : defaultValue.constructor;
  const where = (): string => `Parameter '${name}' (number ${index + 1}) of ${describeMethod(source)}`;
  const { type: declaredType, schema: given } = declared ?? {};
  const standard = isStandardSchema(given) ? standardInput(given, where) : undefined;
  const schema = standard?.schema ?? (given as JsonSchema | undefined);
  const acceptsNothing = standard?.acceptsNothing === true;
  const isOptional = types ? !types.required : names.hasDefault(index);
  return {
    name,
    schema: (nested) =>
      withHints(
        schemaOfType({ declared: { type: declaredType, schema }, reflected, where, nested }),
        declared?.description ?? types?.description,
        defaultValue,
      ),
    required: declared?.required ?? !(acceptsNothing || isOptional),
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

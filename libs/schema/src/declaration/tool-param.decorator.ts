import 'reflect-metadata';
import type { JsonSchema } from '../json/json-schema.js';
import type { StandardSchema } from '../input/standard-schema-input.js';
import { ownValuesOf, type Type } from '../type.js';

/**
 * The type of a parameter or property that reflection cannot determine: a class, `'integer'`, an
 * enum, `[String]` for an array, or `{ values: Number }` for an object with values of one type.
 */
export type ToolParamType =
  | Type
  | 'integer'
  | readonly [ToolParamType]
  | { readonly values: ToolParamType }
  | Readonly<Record<string, string | number>>;

/** The options of {@link ToolParam}. */
export interface ToolParamOptions {
  /** The name that the model uses. Default: the parameter's name in the source. */
  name?: string;
  /** Tells the model which value to pass. */
  description?: string;
  /**
   * Whether the model must pass a value. Default: true, unless the parameter has a default value
   * or the property is decorated with `@IsOptional()`.
   */
  required?: boolean;
  /**
   * Whether the model may pass null and the code receives it. Otherwise null for an optional value
   * means that the value is missing. Default: false, unless `@ValidateIf()` or `@ApiProperty()`
   * allow null.
   */
  nullable?: boolean;
  /**
   * The type, if TypeScript emits none: `'integer'`, a class, an enum, `[String]` for an array or
   * a Set of strings, `{ values: Number }` for a Map or an object with values of one type.
   */
  type?: ToolParamType;
  /** The schema, for types that a class cannot express, such as unions. */
  schema?: StandardSchema | JsonSchema;
}

const PARAMETERS = Symbol.for('nestor.ToolParam.parameters');
const PROPERTIES = Symbol.for('nestor.ToolParam.properties');

/**
 * A `@ToolParam()` without `type` and `schema`. It does not compile on parameters that need one:
 * only for these, the first signature matches, and its return type is an error for a decorator.
 */
export interface InferredToolParam {
  <Target extends object, Method extends PropertyKey, Index extends number>(
    target: Target & OnlyLiterals<NonNullable<ParameterOf<Target, Method, Index>>>,
    method: Method,
    index: Index,
  ): {
    error: "A union of literals or an enum needs its values: @ToolParam({ schema: { enum: ['a', 'b'] } }) or @ToolParam({ type: MyEnum })";
  };
  (target: object, method: PropertyKey, index: number): void;
  (target: object, property: string | symbol): void;
}

type ParameterOf<Target, Method, Index extends number> = Method extends keyof Target
  ? Target[Method] extends (...parameters: infer Parameters) => unknown
    ? Parameters[Index]
    : unknown
  : unknown;

/**
 * `unknown` for literals and enums, otherwise `never`. TypeScript emits the metadata `String` or
 * `Number` for them, so the tool would accept any string or number. They are recognized by their
 * `Record`, whose keys are required. TypeScript does not resolve this for a type parameter, so the
 * first signature does not match one.
 */
type OnlyLiterals<Value> = 0 extends 1 & Value
  ? never
  : [Value] extends [string | number]
    ? // oxlint-disable-next-line typescript/no-generated-empty-object-type -- an object without keys is meant
      Record<never, never> extends Record<Value, 1>
      ? never
      : unknown
    : never;

/**
 * Describes a parameter of a `@Tool()` method, or a property of an input class.
 *
 * @example
 * \@Tool({ description: 'Sets an alarm' })
 * setAlarm(@ToolParam({ description: 'Time in ISO-8601 format' }) time: string) {}
 */
export function ToolParam(
  options: ToolParamOptions & ({ type: ToolParamType } | { schema: object }),
): ParameterDecorator & PropertyDecorator;
export function ToolParam(options?: ToolParamOptions): InferredToolParam;
export function ToolParam(options: ToolParamOptions = {}): unknown {
  return (target: object, key: string | symbol | undefined, index?: unknown) => {
    if (typeof index === 'number') own(target, PARAMETERS).set(`${String(key)}#${index}`, options);
    else own(target, PROPERTIES).set(String(key), options);
  };
}

/** Whether a `@ToolParam` describes the value, so that types and what is emitted do not matter. */
export function describesValue(declared: ToolParamOptions | undefined): boolean {
  return declared?.schema !== undefined || declared?.type !== undefined;
}

/** The options of a method's parameter, from this class or its nearest ancestor. */
export function findParameterParam(target: object, method: string, index: number): ToolParamOptions | undefined {
  // Most methods have none. One lookup along the prototype chain finds out.
  if (!(PARAMETERS in target)) return undefined;
  const key = `${method}#${index}`;
  return (ownValuesOf(target, PARAMETERS) as ParamMap[]).find((map) => map.has(key))?.get(key);
}

/** The decorated properties of a class, including inherited ones. */
export function findPropertyParams(type: Type): ReadonlyMap<string, ToolParamOptions> {
  const merged: ParamMap = new Map();
  const prototype = type.prototype as object;
  if (!(PROPERTIES in prototype)) return merged;
  for (const map of ownValuesOf(prototype, PROPERTIES) as ParamMap[]) {
    for (const [name, options] of map) if (!merged.has(name)) merged.set(name, options);
  }
  return merged;
}

type ParamMap = Map<string, ToolParamOptions>;

function own(target: object, key: symbol): ParamMap {
  const existing = Object.getOwnPropertyDescriptor(target, key)?.value as ParamMap | undefined;
  if (existing) return existing;
  const map: ParamMap = new Map();
  Object.defineProperty(target, key, { value: map });
  return map;
}

import 'reflect-metadata';
import type { JsonSchema } from '../../model/json-schema.js';
import type { StandardSchema } from '../input/standard-schema-input.js';
import { ownValuesOf, type Type } from '../type.js';

/**
 * What a parameter or a property is, where reflection cannot know it: a class, `'integer'`, an enum, an array as
 * `[String]`, an object with values of one type as `{ values: Number }`.
 */
export type ToolParamType =
  | Type
  | 'integer'
  | readonly [ToolParamType]
  | { readonly values: ToolParamType }
  | Readonly<Record<string, string | number>>;

/** The options of {@link ToolParam}. */
export interface ToolParamOptions {
  /** The name the model uses. Default: the parameter's name in the source. */
  name?: string;
  /** What the model has to put here. */
  description?: string;
  /**
   * Whether the model has to give it. Default: true, unless the parameter has a default value or the
   * property is decorated with `@IsOptional()`.
   */
  required?: boolean;
  /**
   * Whether the model may give null, which is handed over. Default: false, unless `@ValidateIf()` or `@ApiProperty()` say so;
   * null for something optional is then the same as nothing.
   */
  nullable?: boolean;
  /**
   * The type, where TypeScript emits none: `'integer'`, a class, an enum, `[String]` for an array or a Set of strings,
   * `{ values: Number }` for a Map or an object with values of one type.
   */
  type?: ToolParamType;
  /** The schema, for everything that a class cannot express, such as unions. */
  schema?: StandardSchema | JsonSchema;
}

const PARAMETERS = Symbol.for('nestor.ToolParam.parameters');
const PROPERTIES = Symbol.for('nestor.ToolParam.properties');

/**
 * Describes a parameter of a `@Tool()` method, or a property of a class used as a tool's input.
 *
 * @example
 * \@Tool({ description: 'Sets an alarm' })
 * setAlarm(@ToolParam({ description: 'Time in ISO-8601 format' }) time: string) {}
 */
export function ToolParam(options: ToolParamOptions = {}): ParameterDecorator & PropertyDecorator {
  return (target: object, key: string | symbol | undefined, index?: unknown) => {
    if (typeof index === 'number') own(target, PARAMETERS).set(`${String(key)}#${index}`, options);
    else own(target, PROPERTIES).set(String(key), options);
  };
}

/** The options of a method's parameter, on this class or the nearest one above it. */
export function findParameterParam(target: object, method: string, index: number): ToolParamOptions | undefined {
  // Most methods have none, which one look-up along the chain tells.
  if (!(PARAMETERS in target)) return undefined;
  const key = `${method}#${index}`;
  return (ownValuesOf(target, PARAMETERS) as ParamMap[]).find((map) => map.has(key))?.get(key);
}

/** The decorated properties of a class, those it inherits included. */
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

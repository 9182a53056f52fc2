import 'reflect-metadata';
import type { JsonSchema } from '../../model/json-schema.js';
import type { StandardSchema } from '../input/standard-schema-input.js';
import type { Type } from '../type.js';

/** What a parameter or a property is, where reflection cannot know it. */
export type ToolParamType = Type | readonly [Type] | 'integer';

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
  /** The type, where TypeScript emits none: `[String]` for an array of strings, `'integer'`, a class. */
  type?: ToolParamType;
  /** The schema, for everything that a class cannot express: unions, literals, maps. */
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
  return collect(target, PARAMETERS).get(`${method}#${index}`);
}

/** The decorated properties of a class, those it inherits included. */
export function findPropertyParams(type: Type): ReadonlyMap<string, ToolParamOptions> {
  return collect(type.prototype as object, PROPERTIES);
}

type ParamMap = Map<string, ToolParamOptions>;

function own(target: object, key: symbol): ParamMap {
  const existing = Object.getOwnPropertyDescriptor(target, key)?.value as ParamMap | undefined;
  if (existing) return existing;
  const map: ParamMap = new Map();
  Object.defineProperty(target, key, { value: map });
  return map;
}

function collect(target: object, key: symbol): ParamMap {
  const merged: ParamMap = new Map();
  for (let at: object | null = target; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    const map = Object.getOwnPropertyDescriptor(at, key)?.value as ParamMap | undefined;
    for (const [name, options] of map ?? []) if (!merged.has(name)) merged.set(name, options);
  }
  return merged;
}

import type { ToolParamOptions, ToolParamType } from '../declaration/tool-param.decorator.js';
import { isJsonObject } from '../json/is-json-object.js';
import type { ToolInputIssue } from '../input/tool-input.js';
import { isType, type Type } from '../type.js';
import { isDto } from './class-description.js';
import { isIsoDate } from './dates.js';
import { isItemsType, isValuesType } from './type-schema.js';

/** Creates the instances of one input and collects issues. */
export interface Binding {
  /** Invalid dates, and values that could not be instantiated. */
  readonly issues: ToolInputIssue[];
  /** Instances that class-validator does not reach by itself. */
  readonly unvalidated: { readonly path: string; readonly instance: object }[];
  /** Creates an instance of a class. On failure, adds an issue and returns undefined. */
  instantiate(type: Type, value: unknown, path: string): object | undefined;
  /** Converts the properties of an instance that class-transformer created. */
  complete(type: Type, instance: object, path: string): void;
}

/** Converts a JSON value to the type that the class expects. */
export type Revive = (value: unknown, path: string, binding: Binding) => unknown;

/** Adds an issue. @returns the value as it is */
export function refused(value: unknown, path: string, { issues }: Binding, why: string): unknown {
  issues.push({ path, message: `'${path}' ${why}` });
  return value;
}

export const reviveDate: Revive = (value, path, binding) => {
  if (typeof value !== 'string') return value;
  if (isIsoDate(value)) return new Date(value);
  return refused(value, path, binding, 'must be a date and time in ISO-8601 format');
};

/**
 * Creates an instance of a class, unless the value already is one, such as a default value.
 *
 * @param isValidated whether class-validator validates it without our help
 */
export function reviveInstance(type: Type, isValidated: boolean): Revive {
  return (value, path, binding) => {
    if (typeof value !== 'object' || value === null || value instanceof type) return value;
    const instance = binding.instantiate(type, value, path);
    if (instance && !isValidated) binding.unvalidated.push({ path, instance });
    return instance;
  };
}

/** Completes an instance that class-transformer created, whose class depends on the value. */
export function completeInstance(isValidated: boolean): Revive {
  return (value, path, binding) => {
    const made: unknown = typeof value === 'object' && value !== null ? value.constructor : undefined;
    if (!isType(made) || !isDto(made)) return value;
    binding.complete(made, value as object, path);
    if (!isValidated) binding.unvalidated.push({ path, instance: value as object });
    return value;
  };
}

/** The conversion for a declared type. Undefined if the JSON value needs none. */
export function reviveType(type: ToolParamType, isValidated: boolean): Revive | undefined {
  if (isItemsType(type)) return reviveEach(reviveType(type[0], isValidated));
  if (isValuesType(type)) return reviveValues(reviveType(type.values, isValidated));
  if (type === Date) return reviveDate;
  return isType(type) && isDto(type) ? reviveInstance(type, isValidated) : undefined;
}

/** The conversion for a parameter. With a user's schema, the emitted type decides. */
export function reviveParameter(declared: ToolParamOptions | undefined, reflected: unknown): Revive | undefined {
  if (declared?.schema !== undefined) return intoContainer(reflected === Date ? reviveDate : undefined, reflected);
  return intoContainer(reviveType(declared?.type ?? (reflected as ToolParamType), false), reflected);
}

/** Applies a conversion to a value, or to each value of an array, Set or Map. */
export function reviveEach(revive: Revive | undefined): Revive | undefined {
  if (!revive) return undefined;
  return (value, path, binding) => {
    const item = (entry: unknown, index: number): unknown => revive(entry, `${path}[${index}]`, binding);
    if (Array.isArray(value)) return value.map(item);
    if (value instanceof Set) return new Set([...value].map(item));
    if (!(value instanceof Map)) return revive(value, path, binding);
    return new Map([...value].map(([key, entry]) => [key, revive(entry, `${path}.${String(key)}`, binding)]));
  };
}

function reviveValues(revive: Revive | undefined): Revive | undefined {
  if (!revive) return undefined;
  return (value, path, binding) => {
    if (!isJsonObject(value) || value instanceof Map) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, entry]) => [key, revive(entry, `${path}.${key}`, binding)]));
  };
}

/** Converts an array to a Set and an object to a Map, if TypeScript emitted one of these types. */
export function intoContainer(revive: Revive | undefined, reflected: unknown): Revive | undefined {
  if (reflected === Set) {
    const each = reviveEach(revive);
    return (value, path, binding) =>
      Array.isArray(value) ? new Set(each ? (each(value, path, binding) as unknown[]) : value) : value;
  }
  if (reflected !== Map) return revive;
  return (value, path, binding) => {
    // A default value may already be a Map.
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Map) return value;
    return new Map(Object.entries(revive ? (revive(value, path, binding) as object) : value));
  };
}

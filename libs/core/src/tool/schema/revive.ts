import type { ToolParamOptions, ToolParamType } from '../declaration/tool-param.decorator.js';
import { isJsonObject, type ToolInputIssue } from '../input/tool-input.js';
import { isType, type Type } from '../type.js';
import { isDto } from './class-description.js';
import { readDate } from './dates.js';
import { isItemsType, isValuesType } from './type-schema.js';

/** What makes the instances of one input, and keeps what it finds on the way. */
export interface Binding {
  /** What is wrong with dates, and what no instance could be made of. */
  readonly issues: ToolInputIssue[];
  /** Instances that class-validator will not come to by itself. */
  readonly unvalidated: { readonly path: string; readonly instance: object }[];
  /** Makes an instance of a class; undefined, and an issue, where that fails. */
  instantiate(type: Type, value: unknown, path: string): object | undefined;
  /** Revives the properties of an instance that class-transformer has made. */
  complete(type: Type, instance: object, path: string): void;
}

/** Makes of a value in JSON what the class expects. */
export type Revive = (value: unknown, path: string, binding: Binding) => unknown;

export const reviveDate: Revive = (value, path, { issues }) =>
  typeof value === 'string' ? readDate(value, path, issues) : value;

/**
 * Makes an instance of a class, unless it is one already: a default value may be.
 *
 * @param isValidated whether class-validator comes to it by itself
 */
export function reviveInstance(type: Type, isValidated: boolean): Revive {
  return (value, path, binding) => {
    if (typeof value !== 'object' || value === null || value instanceof type) return value;
    const instance = binding.instantiate(type, value, path);
    if (instance && !isValidated) binding.unvalidated.push({ path, instance });
    return instance;
  };
}

/** Completes an instance that class-transformer has made, of a class that only the value tells. */
export function completeInstance(isValidated: boolean): Revive {
  return (value, path, binding) => {
    const made: unknown = typeof value === 'object' && value !== null ? value.constructor : undefined;
    if (!isType(made) || !isDto(made)) return value;
    binding.complete(made, value as object, path);
    if (!isValidated) binding.unvalidated.push({ path, instance: value as object });
    return value;
  };
}

/** What a declared type expects; undefined when the JSON is that. */
export function reviveType(type: ToolParamType, isValidated: boolean): Revive | undefined {
  if (isItemsType(type)) return reviveEach(reviveType(type[0], isValidated));
  if (isValuesType(type)) return reviveValues(reviveType(type.values, isValidated));
  if (type === Date) return reviveDate;
  return isType(type) && isDto(type) ? reviveInstance(type, isValidated) : undefined;
}

/** What a parameter expects. Of a schema that the user wrote, TypeScript knows what the code makes of the value. */
export function reviveParameter(declared: ToolParamOptions | undefined, reflected: unknown): Revive | undefined {
  if (declared?.schema !== undefined) return intoContainer(reflected === Date ? reviveDate : undefined, reflected);
  return intoContainer(reviveType(declared?.type ?? (reflected as ToolParamType), false), reflected);
}

/** Does the same to a value, or to each value of an array, Set or Map. */
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

/** Puts an array into a Set and the values of an object into a Map, where TypeScript emitted one of these. */
export function intoContainer(revive: Revive | undefined, reflected: unknown): Revive | undefined {
  if (reflected === Set) {
    const each = reviveEach(revive);
    return (value, path, binding) =>
      Array.isArray(value) ? new Set(each ? (each(value, path, binding) as unknown[]) : value) : value;
  }
  if (reflected !== Map) return revive;
  return (value, path, binding) => {
    // A default value may be one already.
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Map) return value;
    return new Map(Object.entries(revive ? (revive(value, path, binding) as object) : value));
  };
}

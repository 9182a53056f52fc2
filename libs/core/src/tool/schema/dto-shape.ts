import type { ToolParamType } from '../declaration/tool-param.decorator.js';
import type { ToolInputIssue } from '../input/tool-input.js';
import { isType, type Constructor, type Type } from '../type.js';
import { apiType } from './api-property.js';
import { describeClass, hasValidator, isDto, nestedTypeOf, type PropertyDescription } from './class-description.js';
import { classTransformer } from './peer-libraries.js';
import { readDate } from './to-date.js';
import { isItemsType, isValuesType } from './type-schema.js';

/** Makes of a value what the class expects; what is wrong with dates goes to the issues. */
type Completion = (value: unknown, path: string, issues: ToolInputIssue[]) => unknown;

const shapes = new WeakMap<Type, DtoShape>();

/**
 * Makes instances of a class and of the classes nested in it. class-transformer does so where it finds `@Type()`;
 * what TypeScript or `@ToolParam` say of the other properties is completed here.
 */
export class DtoShape {
  readonly #completions: readonly (readonly [name: string, jsonName: string, complete: Completion])[];

  private constructor(private readonly type: Constructor<object>) {
    this.#completions = [...describeClass(type).properties.values()].flatMap((property) => {
      const complete = completionOf(property);
      return complete ? [[property.name, property.jsonName, complete] as const] : [];
    });
  }

  static of(type: Type): DtoShape {
    let shape = shapes.get(type);
    if (!shape) shapes.set(type, (shape = new DtoShape(type as Constructor<object>)));
    return shape;
  }

  /** @param issues receives what is wrong with the dates */
  instantiate(value: unknown, issues: ToolInputIssue[], path = ''): object {
    const instance = classTransformer().plainToInstance(this.type, value, { exposeDefaultValues: true });
    this.complete(instance as Record<string, unknown>, path, issues);
    return instance;
  }

  /** Completes an instance that class-transformer has made. */
  complete(instance: Record<string, unknown>, path: string, issues: ToolInputIssue[]): void {
    for (const [name, jsonName, complete] of this.#completions) {
      const value = instance[name];
      if (value === undefined) delete instance[name];
      else if (value !== null) instance[name] = complete(value, path ? `${path}.${jsonName}` : jsonName, issues);
    }
  }
}

function completionOf(property: PropertyDescription): Completion | undefined {
  const { typeMetadata, param, api, reflected } = property;
  if (typeMetadata) return typeMetadata.typeFunction?.() === Date ? undefined : eachOf(completeMade);
  const declared = param?.schema === undefined ? (param?.type ?? (api && apiType(api)?.type)) : undefined;
  return intoContainer(declared === undefined ? ofReflected(property) : ofDeclared(declared), reflected);
}

function ofReflected(property: PropertyDescription): Completion | undefined {
  if (property.reflected === Date || hasValidator(property, 'isDate')) return eachOf(completeDate);
  const nested = nestedTypeOf(property);
  return nested && isDto(nested) ? eachOf(instanceOf(nested)) : undefined;
}

function ofDeclared(type: ToolParamType): Completion | undefined {
  if (isItemsType(type)) {
    const item = ofDeclared(type[0]);
    return item && eachOf(item);
  }
  if (isValuesType(type)) {
    const value = ofDeclared(type.values);
    return value && valuesOf(value);
  }
  if (type === Date) return completeDate;
  return isType(type) && isDto(type) ? instanceOf(type) : undefined;
}

const completeDate: Completion = (value, path, issues) =>
  typeof value === 'string' ? readDate(value, path, issues) : value;

/** Made by class-transformer: of a class that only the value tells. */
const completeMade: Completion = (value, path, issues) => {
  const made: unknown = typeof value === 'object' && value !== null ? value.constructor : undefined;
  if (isType(made) && isDto(made)) DtoShape.of(made).complete(value as Record<string, unknown>, path, issues);
  return value;
};

function instanceOf(type: Type): Completion {
  return (value, path, issues) => {
    return typeof value === 'object' && value !== null ? DtoShape.of(type).instantiate(value, issues, path) : value;
  };
}

/** Does the same to a value, or to each value of an array, Set or Map. */
function eachOf(complete: Completion): Completion {
  return (value, path, issues) => {
    const item = (entry: unknown, index: number): unknown => complete(entry, `${path}[${index}]`, issues);
    if (Array.isArray(value)) return value.map(item);
    if (value instanceof Set) return new Set([...value].map(item));
    if (!(value instanceof Map)) return complete(value, path, issues);
    return new Map([...value].map(([key, entry]) => [key, complete(entry, `${path}.${String(key)}`, issues)]));
  };
}

function valuesOf(complete: Completion): Completion {
  return (value, path, issues) =>
    Object.fromEntries(
      Object.entries(value as object).map(([key, entry]) => [key, complete(entry, `${path}.${key}`, issues)]),
    );
}

/** An array for a Set and an object for a Map, as TypeScript emitted the type. */
function intoContainer(complete: Completion | undefined, reflected: unknown): Completion | undefined {
  if (reflected !== Set && reflected !== Map) return complete;
  return (value, path, issues) => {
    if (reflected === Set) {
      if (!Array.isArray(value)) return value;
      return new Set(complete ? (eachOf(complete)(value, path, issues) as unknown[]) : value);
    }
    if (typeof value !== 'object' || Array.isArray(value)) return value;
    const entries = complete ? (valuesOf(complete)(value, path, issues) as object) : (value as object);
    return new Map(Object.entries(entries));
  };
}

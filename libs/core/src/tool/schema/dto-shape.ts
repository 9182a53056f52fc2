import type { ToolParamType } from '../declaration/tool-param.decorator.js';
import type { ToolInputIssue } from '../input/tool-input.js';
import { isType, type Constructor, type Type } from '../type.js';
import { apiType } from './api-property.js';
import { describeClass, isDateProperty, isDto, nestedTypeOf, type PropertyDescription } from './class-description.js';
import { classTransformer } from './peer-libraries.js';
import { readDate } from './to-date.js';
import { isItemsType, isValuesType } from './type-schema.js';

/** What is found while instances are made. */
export interface BindingNotes {
  /** What is wrong with dates. */
  readonly issues: ToolInputIssue[];
  /** Instances that class-validator will not come to by itself. */
  readonly unvalidated: { readonly path: string; readonly instance: object }[];
}

/** Makes of a value what the class expects. */
type Completion = (value: unknown, path: string, notes: BindingNotes) => unknown;

interface CompletedProperty {
  readonly property: PropertyDescription;
  readonly complete: Completion | undefined;
}

const shapes = new WeakMap<Type, DtoShape>();

/**
 * Makes instances of a class and of the classes nested in it. class-transformer does so where it finds `@Type()`;
 * what TypeScript or `@ToolParam` say of the other properties is completed here.
 */
export class DtoShape {
  readonly #properties: readonly CompletedProperty[];

  private constructor(private readonly type: Constructor<object>) {
    this.#properties = [...describeClass(type).properties.values()]
      .map((property) => ({ property, complete: completionOf(property) }))
      .filter(({ complete, property: { api } }) => complete !== undefined || api?.default !== undefined);
  }

  static of(type: Type): DtoShape {
    let shape = shapes.get(type);
    if (!shape) shapes.set(type, (shape = new DtoShape(type as Constructor<object>)));
    return shape;
  }

  instantiate(value: unknown, notes: BindingNotes, path = ''): object {
    const instance = classTransformer().plainToInstance(this.type, value, { exposeDefaultValues: true });
    this.complete(instance as Record<string, unknown>, path, notes);
    return instance;
  }

  /** Completes an instance that class-transformer has made. */
  complete(instance: Record<string, unknown>, path: string, notes: BindingNotes): void {
    for (const { property, complete } of this.#properties) {
      const { name, jsonName, api } = property;
      const value = instance[name];
      if (value === undefined) {
        if (api?.default !== undefined) instance[name] = structuredClone(api.default);
        else delete instance[name];
      } else if (value !== null && complete) {
        instance[name] = complete(value, path ? `${path}.${jsonName}` : jsonName, notes);
      }
    }
  }
}

function completionOf(property: PropertyDescription): Completion | undefined {
  const { typeMetadata, param, api, reflected } = property;
  // class-validator goes on by itself only where it is told to.
  const isValidated = property.validators.some(({ type }) => type === 'nestedValidation');
  if (typeMetadata) return isDateProperty(property) ? undefined : eachOf(completeMade(isValidated));
  const declared = param?.schema === undefined ? (param?.type ?? (api && apiType(api)?.type)) : undefined;
  const complete = declared === undefined ? ofReflected(property, isValidated) : ofDeclared(declared, isValidated);
  return intoContainer(complete, reflected);
}

function ofReflected(property: PropertyDescription, isValidated: boolean): Completion | undefined {
  if (isDateProperty(property)) return eachOf(completeDate);
  const nested = nestedTypeOf(property);
  return nested && eachOf(instanceOf(nested, isValidated));
}

function ofDeclared(type: ToolParamType, isValidated: boolean): Completion | undefined {
  if (isItemsType(type)) {
    const item = ofDeclared(type[0], isValidated);
    return item && eachOf(item);
  }
  if (isValuesType(type)) {
    const value = ofDeclared(type.values, isValidated);
    return value && valuesOf(value);
  }
  if (type === Date) return completeDate;
  return isType(type) && isDto(type) ? instanceOf(type, isValidated) : undefined;
}

const completeDate: Completion = (value, path, { issues }) =>
  typeof value === 'string' ? readDate(value, path, issues) : value;

/** Made by class-transformer: of a class that only the value tells. */
function completeMade(isValidated: boolean): Completion {
  return (value, path, notes) => {
    const made: unknown = typeof value === 'object' && value !== null ? value.constructor : undefined;
    if (!isType(made) || !isDto(made)) return value;
    DtoShape.of(made).complete(value as Record<string, unknown>, path, notes);
    if (!isValidated) notes.unvalidated.push({ path, instance: value as object });
    return value;
  };
}

function instanceOf(type: Type, isValidated: boolean): Completion {
  return (value, path, notes) => {
    // A default value of the class is an instance already.
    if (typeof value !== 'object' || value === null || value instanceof type) return value;
    const instance = DtoShape.of(type).instantiate(value, notes, path);
    if (!isValidated) notes.unvalidated.push({ path, instance });
    return instance;
  };
}

/** Does the same to a value, or to each value of an array, Set or Map. */
function eachOf(complete: Completion): Completion {
  return (value, path, notes) => {
    const item = (entry: unknown, index: number): unknown => complete(entry, `${path}[${index}]`, notes);
    if (Array.isArray(value)) return value.map(item);
    if (value instanceof Set) return new Set([...value].map(item));
    if (!(value instanceof Map)) return complete(value, path, notes);
    return new Map([...value].map(([key, entry]) => [key, complete(entry, `${path}.${String(key)}`, notes)]));
  };
}

function valuesOf(complete: Completion): Completion {
  return (value, path, notes) => {
    if (value instanceof Map) return value;
    return Object.fromEntries(
      Object.entries(value as object).map(([key, entry]) => [key, complete(entry, `${path}.${key}`, notes)]),
    );
  };
}

/** An array for a Set and an object for a Map, as TypeScript emitted the type. */
function intoContainer(complete: Completion | undefined, reflected: unknown): Completion | undefined {
  if (reflected !== Set && reflected !== Map) return complete;
  return (value, path, notes) => {
    // A default value is one already.
    if (value instanceof Set || value instanceof Map) return value;
    if (reflected === Set) {
      if (!Array.isArray(value)) return value;
      return new Set(complete ? (eachOf(complete)(value, path, notes) as unknown[]) : value);
    }
    if (typeof value !== 'object' || Array.isArray(value)) return value;
    const entries = complete ? (complete(value, path, notes) as object) : (value as object);
    return new Map(Object.entries(entries));
  };
}

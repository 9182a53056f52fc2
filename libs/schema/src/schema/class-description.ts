import 'reflect-metadata';
import type { TypeMetadata } from 'class-transformer';
import type { MetadataStorage as TransformerStorage } from 'class-transformer/types/MetadataStorage.js';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { remembered } from '../json/remembered.js';
import { findPropertyParams, type ToolParamOptions } from '../declaration/tool-param.decorator.js';
import { classValidator, transformerStorage } from '../lazy-modules.cjs';
import { type Constructor, isBuiltIn, isType, lineageOf, type Type } from '../type.js';
import { typedNamesOf, typedPropertyOf } from '../typed/typed-members.js';
import { classByTypes } from '../typed/loaded-types.js';
import { type ApiProperty, findApiProperties } from './api-property.js';

/** The decorators of a property. */
export interface PropertyDescription {
  /** The name on instances. */
  readonly name: string;
  /** The name in JSON. `@Expose({ name })` changes it. */
  readonly jsonName: string;
  readonly validators: readonly ValidationMetadata[];
  readonly param: ToolParamOptions | undefined;
  /** The metadata of `@ApiProperty` from @nestjs/swagger. */
  readonly api: ApiProperty | undefined;
  /** The metadata of `@Type()` from class-transformer. */
  readonly typeMetadata: TypeMetadata | undefined;
  /** The type that TypeScript emitted, else the class that types name. */
  readonly reflected: unknown;
}

/** The decorators of an input class. */
export interface ClassDescription {
  /** The properties that the input may contain, by their names on instances. */
  readonly properties: ReadonlyMap<string, PropertyDescription>;
  /** The properties that class-transformer excludes from the input. */
  readonly excluded: ReadonlySet<string>;
}

// All decorators have run before the first tool is created, so each class is read only once.
const descriptions = new WeakMap<Type, ClassDescription>();

/** Reads the decorators of a class and its ancestors. */
export function describeClass(type: Type): ClassDescription {
  return remembered(descriptions, type, () => readClass(type));
}

/** Whether a class describes an input: at least one property has a relevant decorator. */
export function isDto(type: Type): type is Constructor {
  return !isBuiltIn(type) && describeClass(type).properties.size > 0;
}

/** Whether a property has one of these validators, such as `isInt`. */
export function hasValidator({ validators }: PropertyDescription, ...names: readonly string[]): boolean {
  return validators.some(({ name }) => name !== undefined && names.includes(name));
}

/** The class from `@Type(() => X)`. Undefined if the function chooses it by the value. */
export function namedTypeOf(typeMetadata: TypeMetadata | undefined): unknown {
  return typeMetadata?.typeFunction && typeMetadata.typeFunction.length === 0 ? typeMetadata.typeFunction() : undefined;
}

/**
 * The class of a nested property, if it describes an input: from `@Type(() => X)` or else from
 * TypeScript.
 */
export function nestedTypeOf({ typeMetadata, reflected }: PropertyDescription): Type | undefined {
  const nested: unknown = namedTypeOf(typeMetadata) ?? reflected;
  return isType(nested) && isDto(nested) ? nested : undefined;
}

function readClass(type: Type): ClassDescription {
  const params = new Map([...mappedParams(type), ...findPropertyParams(type)]);
  const validators = readValidators(type);
  const api = findApiProperties(type);
  const storage = transformerStorage();
  const properties = new Map<string, PropertyDescription>();
  const excluded = new Set<string>();
  for (const name of new Set([...validators.keys(), ...params.keys(), ...api.keys()])) {
    if (isReadOnly(type.prototype as object, name)) continue;
    if (isExcluded(type, name, storage)) {
      excluded.add(name);
      continue;
    }
    const expose = storage.findExposeMetadata(type, name)?.options;
    properties.set(name, {
      name,
      jsonName: expose?.name !== undefined && expose.toPlainOnly !== true ? expose.name : name,
      validators: validators.get(name) ?? [],
      param: params.get(name),
      api: api.get(name),
      typeMetadata: storage.findTypeMetadata(type, name),
      reflected: Reflect.getMetadata('design:type', type.prototype as object, name) ?? classInTypes(type, name),
    });
  }
  return { properties, excluded };
}

/** Whether a property is a getter without a setter, which cannot receive a value. */
function isReadOnly(prototype: object | null, name: string): boolean {
  if (prototype === null || prototype === Object.prototype) return false;
  const own = Object.getOwnPropertyDescriptor(prototype, name);
  return own ? own.get !== undefined && own.set === undefined : isReadOnly(Object.getPrototypeOf(prototype), name);
}

/** The `@ToolParam()` of the classes that a mapped type, such as `PartialType(Dto)`, is made of. */
function mappedParams(type: Type): readonly (readonly [string, ToolParamOptions])[] {
  return [...typedNamesOf(type)].flatMap((name) => {
    const { types, of } = typedPropertyOf(type, name)!;
    const options = types.paramOf === undefined ? undefined : findPropertyParams(of.classAt(types.paramOf)).get(name);
    return options ? [[name, types.isOptional ? { ...options, required: false } : options] as const] : [];
  });
}

/** Some compilers emit no types of properties. */
function classInTypes(type: Type, name: string): unknown {
  const typed = typedPropertyOf(type, name);
  return typed && classByTypes(typed.types, typed.of);
}

/** The same rules as class-transformer has for input, without groups and versions. */
function isExcluded(type: Type, name: string, storage: TransformerStorage): boolean {
  const exclude = storage.findExcludeMetadata(type, name);
  if (exclude && exclude.options?.toPlainOnly !== true) return true;
  const expose = storage.findExposeMetadata(type, name);
  if (expose) return expose.options?.toPlainOnly === true || Boolean(expose.options?.groups?.length);
  return storage.getStrategy(type) === 'excludeAll';
}

/**
 * The validators of each property, own ones before inherited ones, like class-validator runs them.
 */
function readValidators(type: Type): Map<string, ValidationMetadata[]> {
  // The storage's own search would scan all classes of the application each time.
  const { validationMetadatas } = classValidator().getMetadataStorage() as unknown as {
    validationMetadatas: ReadonlyMap<unknown, readonly ValidationMetadata[]>;
  };
  const byProperty = new Map<string, ValidationMetadata[]>();
  for (const at of lineageOf(type)) {
    for (const metadata of validationMetadatas.get(at) ?? []) {
      const known = byProperty.get(metadata.propertyName);
      if (!known) byProperty.set(metadata.propertyName, [metadata]);
      else if (at === type || !isReplaced(metadata, known, type)) known.push(metadata);
    }
  }
  return byProperty;
}

/**
 * class-validator ignores an inherited validator if the class has one of the same type for the
 * property.
 */
function isReplaced(metadata: ValidationMetadata, known: readonly ValidationMetadata[], type: Type): boolean {
  return known.some((own) => own.target === type && own.type === metadata.type);
}

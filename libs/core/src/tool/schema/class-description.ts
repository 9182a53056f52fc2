import 'reflect-metadata';
import type { TypeMetadata } from 'class-transformer';
import type { MetadataStorage as TransformerStorage } from 'class-transformer/types/MetadataStorage.js';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { findPropertyParams, type ToolParamOptions } from '../declaration/tool-param.decorator.js';
import { type Constructor, isBuiltIn, isType, lineageOf, type Type } from '../type.js';
import { type ApiProperty, findApiProperties } from './api-property.js';
import { classValidator, transformerStorage } from './peer-libraries.js';

/** What the decorators of one property of a class say. */
export interface PropertyDescription {
  /** Its name on instances. */
  readonly name: string;
  /** Its name in JSON: another one with `@Expose({ name })`. */
  readonly jsonName: string;
  readonly validators: readonly ValidationMetadata[];
  readonly param: ToolParamOptions | undefined;
  /** What `@ApiProperty` of @nestjs/swagger says. */
  readonly api: ApiProperty | undefined;
  /** What `@Type()` of class-transformer says. */
  readonly typeMetadata: TypeMetadata | undefined;
  /** What TypeScript emitted for its type. */
  readonly reflected: unknown;
}

/** What the decorators of a class say of it as an input. */
export interface ClassDescription {
  /** The properties that an input may have, by their names on instances. */
  readonly properties: ReadonlyMap<string, PropertyDescription>;
  /** Properties that class-transformer keeps out of the input. */
  readonly excluded: ReadonlySet<string>;
}

// Decorators have spoken before the first tool is made, so each class is read once.
const descriptions = new WeakMap<Type, ClassDescription>();

/** Reads the decorators of a class and of those it extends. */
export function describeClass(type: Type): ClassDescription {
  let description = descriptions.get(type);
  if (!description) {
    description = readClass(type);
    descriptions.set(type, description);
  }
  return description;
}

/** Whether a class describes an input: a property of it has a decorator that says something. */
export function isDto(type: Type): type is Constructor {
  return !isBuiltIn(type) && describeClass(type).properties.size > 0;
}

/** Whether a property carries one of some validators, such as `isInt`. */
export function hasValidator({ validators }: PropertyDescription, ...names: readonly string[]): boolean {
  return validators.some(({ name }) => name !== undefined && names.includes(name));
}

/** The class that `@Type(() => X)` names; one that it chooses by the value is not known before there is one. */
export function namedTypeOf(typeMetadata: TypeMetadata | undefined): unknown {
  return typeMetadata?.typeFunction && typeMetadata.typeFunction.length === 0 ? typeMetadata.typeFunction() : undefined;
}

/** The class behind a nested property, if it describes an input: as `@Type(() => X)` names it, else as TypeScript emitted it. */
export function nestedTypeOf({ typeMetadata, reflected }: PropertyDescription): Type | undefined {
  const nested: unknown = namedTypeOf(typeMetadata) ?? reflected;
  return isType(nested) && isDto(nested) ? nested : undefined;
}

function readClass(type: Type): ClassDescription {
  const params = findPropertyParams(type);
  const validators = readValidators(type);
  const api = findApiProperties(type);
  const storage = transformerStorage();
  const properties = new Map<string, PropertyDescription>();
  const excluded = new Set<string>();
  for (const name of new Set([...validators.keys(), ...params.keys(), ...api.keys()])) {
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
      reflected: Reflect.getMetadata('design:type', type.prototype as object, name),
    });
  }
  return { properties, excluded };
}

/** As class-transformer decides it for input, without groups and versions. */
function isExcluded(type: Type, name: string, storage: TransformerStorage): boolean {
  const exclude = storage.findExcludeMetadata(type, name);
  if (exclude && exclude.options?.toPlainOnly !== true) return true;
  const expose = storage.findExposeMetadata(type, name);
  if (expose) return expose.options?.toPlainOnly === true || Boolean(expose.options?.groups?.length);
  return storage.getStrategy(type) === 'excludeAll';
}

/** The validators of each property, those of the class before those it inherits, as class-validator runs them. */
function readValidators(type: Type): Map<string, ValidationMetadata[]> {
  // Not through the storage's own search, which goes through all classes of the application for each.
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

/** A class that validates a property anew replaces what the one it extends says, by kinds of which there are few. */
function isReplaced(metadata: ValidationMetadata, known: readonly ValidationMetadata[], type: Type): boolean {
  return known.some((own) => own.target === type && own.type === metadata.type);
}

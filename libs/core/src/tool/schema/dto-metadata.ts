import type * as ClassTransformer from 'class-transformer';
import type { MetadataStorage as TransformerStorage } from 'class-transformer/types/MetadataStorage.js';
import type * as ClassValidator from 'class-validator';
import { findPropertyParams } from '../declaration/tool-param.decorator.js';
import { lazyRequire } from '../lazy-require.js';
import { type Constructor, isType, type Type } from '../type.js';

/** class-validator and class-transformer, loaded when the first DTO is met. */
export const classValidator = (): typeof ClassValidator => lazyRequire('class-validator');
export const classTransformer = (): typeof ClassTransformer => lazyRequire('class-transformer');

export function transformerStorage(): TransformerStorage {
  return lazyRequire<{ defaultMetadataStorage: TransformerStorage }>('class-transformer/cjs/storage.js')
    .defaultMetadataStorage;
}

/** The properties of a class that carry class-validator decorators. */
export function validatedProperties(type: Type): Set<string> {
  const storage = classValidator().getMetadataStorage();
  const metadatas = storage.getTargetValidationMetadatas(type, '', false, false);
  return new Set(metadatas.map(({ propertyName }) => propertyName));
}

/** Whether a property carries `@IsOptional()` or `@ValidateIf()`. */
export function isOptionalProperty(type: Type, name: string): boolean {
  const storage = classValidator().getMetadataStorage();
  return storage
    .getTargetValidationMetadatas(type, '', false, false)
    .some((metadata) => metadata.propertyName === name && metadata.type === 'conditionalValidation');
}

/** Whether a property carries a validator, such as `isInt`. */
export function hasValidator(type: Type, property: string, validator: string): boolean {
  return classValidator()
    .getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .some((metadata) => metadata.propertyName === property && metadata.name === validator);
}

/** What class-transformer does to a property that no schema can tell, if anything. */
export function untoldTransformation(type: Type, property: string): string | undefined {
  const storage = transformerStorage();
  const { name } = storage.findExposeMetadata(type, property)?.options ?? {};
  if (name !== undefined && name !== property) return `@Expose({ name: '${name}' })`;
  if (storage.findExcludeMetadata(type, property)) return '@Exclude()';
  const typeMetadata = storage.findTypeMetadata(type, property);
  if (typeMetadata?.options?.discriminator) return '@Type() with a discriminator';
  return typeMetadata?.reflectedType === Map || typeMetadata?.reflectedType === Set ? 'a Map or a Set' : undefined;
}

/** Whether a class describes an input: it has class-validator decorators or `@ToolParam` properties. */
export function isDto(type: Type): type is Constructor {
  return findPropertyParams(type).size > 0 || validatedProperties(type).size > 0;
}

/** Whether class-transformer itself makes instances of a property's class: it has `@Type()`. */
export function hasTypeDecorator(type: Type, property: string): boolean {
  return transformerStorage().findTypeMetadata(type, property) !== undefined;
}

/** The class behind a nested property: as `@Type(() => X)` names it, else as TypeScript emitted it. */
export function nestedType(type: Type, property: string): Type | undefined {
  const named: unknown = transformerStorage().findTypeMetadata(type, property)?.typeFunction?.();
  const nested = named ?? Reflect.getMetadata('design:type', type.prototype as object, property);
  return isType(nested) && !BUILT_IN.has(nested) ? nested : undefined;
}

const BUILT_IN: ReadonlySet<unknown> = new Set([
  String,
  Number,
  Boolean,
  Date,
  Array,
  Object,
  Function,
  Map,
  Set,
  Promise,
]);

import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import { remembered } from '../../model/remembered.js';
import { isType, lineageOf, transformerStorage, type Type } from '@nestor-ai/schema';

/** A serialized property of an instance. */
export interface ExposedProperty {
  readonly name: string;
  readonly value: unknown;
  /** The class from `@Type()`, which applies to plain objects in this property. */
  readonly declaredType: Type | undefined;
}

/** class-transformer's number for the direction from instances to JSON. */
const CLASS_TO_PLAIN = 1;

/**
 * Serializes one level of an instance by its class-transformer decorators: `@Exclude()`,
 * `@Expose()`, `@Transform()` and `@Type()`, without groups and versions, like Nest's
 * `ClassSerializerInterceptor`. class-transformer itself would lose the contents of Maps and the
 * classes of nested values, call methods, and write into the instance.
 *
 * @param declaredType the class that a plain object is treated as
 * @returns undefined if no class with such decorators applies
 */
export function exposedProperties(value: object, declaredType?: Type): ExposedProperty[] | undefined {
  const type =
    decoratedClassOf(value) ?? (isPlain(value) && declaredType && isDecorated(declaredType) ? declaredType : undefined);
  if (!type) return undefined;
  const storage = transformerStorage();
  return exposedKeys(value, type, storage).flatMap((key) => {
    const raw = readExposed(value, key, storage.findExposeMetadata(type, key) !== undefined);
    if (raw === undefined) return [];
    const transformed = storage
      .findTransformMetadatas(type, key, CLASS_TO_PLAIN)
      .filter(({ options }) => !options?.groups?.length)
      .reduce<unknown>((before, { transformFn }) => {
        return transformFn({ value: before, key, obj: value, type: CLASS_TO_PLAIN, options: {} }) as unknown;
      }, raw.value);
    const named: unknown = storage
      .findTypeMetadata(type, key)
      ?.typeFunction?.({ newObject: {}, object: value as Record<string, unknown>, property: key });
    return {
      name: storage.findExposeMetadata(type, key)?.options?.name ?? key,
      value: transformed,
      declaredType: isType(named) ? named : undefined,
    };
  });
}

function exposedKeys(value: object, type: Type, storage: MetadataStorage): string[] {
  const exposed = storage.getExposedProperties(type, CLASS_TO_PLAIN);
  const excluded = new Set(storage.getExcludedProperties(type, CLASS_TO_PLAIN));
  const own = isClosed(type, storage) ? [] : Object.keys(value);
  return [...new Set([...own, ...exposed])].filter((key) => {
    return !excluded.has(key) && !storage.findExposeMetadata(type, key)?.options?.groups?.length;
  });
}

/** Whether the class, or one that it extends, only serializes exposed properties. */
function isClosed(type: Type, storage: MetadataStorage): boolean {
  for (const at of lineageOf(type)) {
    const strategy = storage.getStrategy(at);
    if (strategy !== 'none') return strategy === 'excludeAll';
  }
  return false;
}

/** Methods are only called if they are exposed. */
function readExposed(value: object, key: string, isExposed: boolean): { value: unknown } | undefined {
  const raw = (value as Record<string, unknown>)[key];
  if (typeof raw !== 'function') return { value: raw };
  return isExposed ? { value: (raw as () => unknown).call(value) } : undefined;
}

/** Searches the prototypes, so that an own property named `constructor` has no effect. */
function decoratedClassOf(value: object): Type | undefined {
  for (let at = Object.getPrototypeOf(value) as object | null; at; at = Object.getPrototypeOf(at) as object | null) {
    const type: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (type === Object || type === Array) continue;
    if (isType(type) && isDecorated(type)) return type;
  }
  return undefined;
}

const isDecorated = remembered((type: Type) => lineageOf(type).some(hasDecorators));

function hasDecorators(type: Type): boolean {
  const storage = transformerStorage() as unknown as Record<string, ReadonlyMap<unknown, unknown>>;
  return ['_exposeMetadatas', '_excludeMetadatas', '_transformMetadatas', '_typeMetadatas'].some((name) =>
    storage[name]!.has(type),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

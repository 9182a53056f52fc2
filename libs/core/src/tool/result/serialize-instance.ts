import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import { isType, lineageOf, type Type } from '../type.js';
import { transformerStorage } from '../schema/peer-libraries.js';

/** A property of an instance as it is shown to the outside. */
export interface ExposedProperty {
  readonly name: string;
  readonly value: unknown;
  /** The class that `@Type()` declares for it: what a plain object there is to be treated as. */
  readonly declaredType: Type | undefined;
}

/** The direction from instances to JSON, as class-transformer numbers it. */
const CLASS_TO_PLAIN = 1;

/**
 * What an instance shows to the outside by its decorators of class-transformer: `@Exclude()`, `@Expose()`, `@Transform()` and
 * `@Type()`, without groups and versions, as in Nest's `ClassSerializerInterceptor`. Only one level: class-transformer itself would
 * lose what is in Maps and the classes of what it meets further in, call methods, and write into the instance.
 *
 * @param declaredType what a plain object is treated as
 * @returns undefined for what is of no class with such decorators
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

/** Whether only what is exposed is shown, by the class or one that it extends. */
function isClosed(type: Type, storage: MetadataStorage): boolean {
  for (const at of lineageOf(type)) {
    const strategy = storage.getStrategy(at);
    if (strategy !== 'none') return strategy === 'excludeAll';
  }
  return false;
}

/** A method is called only where it is exposed. */
function readExposed(value: object, key: string, isExposed: boolean): { value: unknown } | undefined {
  const raw = (value as Record<string, unknown>)[key];
  if (typeof raw !== 'function') return { value: raw };
  return isExposed ? { value: (raw as () => unknown).call(value) } : undefined;
}

const DECORATED = new WeakMap<object, boolean>();

/** Looked for on the prototypes: a property named `constructor` is not to switch anything off. */
function decoratedClassOf(value: object): Type | undefined {
  for (let at = Object.getPrototypeOf(value) as object | null; at; at = Object.getPrototypeOf(at) as object | null) {
    const type: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (type === Object || type === Array) continue;
    if (isType(type) && isDecorated(type)) return type;
  }
  return undefined;
}

function isDecorated(type: Type): boolean {
  let isKnown = DECORATED.get(type);
  if (isKnown === undefined) DECORATED.set(type, (isKnown = lineageOf(type).some(hasDecorators)));
  return isKnown;
}

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

import { classTransformer, transformerStorage } from '../schema/peer-libraries.js';

const SERIALIZED = new WeakMap<object, boolean>();

/**
 * What class-transformer makes of an instance for the outside, as in Nest's `ClassSerializerInterceptor`.
 *
 * @returns undefined for an instance of a class without decorators such as `@Exclude()`, `@Expose()` or `@Transform()`
 */
export function serializeInstance(value: object): object | undefined {
  const type: unknown = value.constructor;
  if (typeof type !== 'function' || type === Object || type === Array) return undefined;
  let isSerialized = SERIALIZED.get(type);
  if (isSerialized === undefined) SERIALIZED.set(type, (isSerialized = hasDecorators(type)));
  return isSerialized ? classTransformer().instanceToPlain(value, { enableCircularCheck: true }) : undefined;
}

interface Storage {
  readonly _exposeMetadatas: ReadonlyMap<unknown, unknown>;
  readonly _excludeMetadatas: ReadonlyMap<unknown, unknown>;
  readonly _transformMetadatas: ReadonlyMap<unknown, unknown>;
}

function hasDecorators(type: object): boolean {
  const { _exposeMetadatas, _excludeMetadatas, _transformMetadatas } = transformerStorage() as unknown as Storage;
  for (let at: unknown = type; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    if (_exposeMetadatas.has(at) || _excludeMetadatas.has(at) || _transformMetadatas.has(at)) return true;
  }
  return false;
}

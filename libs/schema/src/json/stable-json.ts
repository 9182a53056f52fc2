import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { isPlainObject } from './is-plain-object.js';
import { remembered } from './remembered.js';

// Identifies values that cannot be compared by content.
const identities = new WeakMap<WeakKey, number>();
let known = 0;

/**
 * Returns the same text for equal values and different texts for different values. The order of
 * keys does not matter. Functions and class instances are only equal to themselves, because they
 * may have hidden state. Maps, Sets, Dates, URLs and bytes are compared by content.
 */
export function stableJson(value: unknown): string {
  return new StableWriter().write(value);
}

/**
 * Like {@link stableJson}, but the text is the same in every process.
 *
 * @throws UnknownContentException for values that are only equal to themselves
 */
export function contentJson(value: unknown): string {
  return new ContentWriter().write(value);
}

/** A value cannot be compared by its content. */
export class UnknownContentException extends TypeError {
  override readonly name = 'UnknownContentException';
}

class StableWriter {
  readonly #ancestors = new Set<object>();

  write(value: unknown): string {
    switch (typeof value) {
      case 'bigint':
        return `${value}n`;
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value);
      case 'symbol':
        return this.#symbol(value);
      case 'function':
        return this.identityOf(value);
      case 'object':
        return value === null ? 'null' : this.#object(value);
      default:
        return JSON.stringify(value) ?? 'undefined';
    }
  }

  /** The text for a value that is only equal to itself. */
  protected identityOf(value: WeakKey): string {
    return `#${remembered(identities, value, () => ++known)}`;
  }

  #object(value: object): string {
    if (this.#ancestors.has(value)) return this.identityOf(value);
    this.#ancestors.add(value);
    try {
      if (Array.isArray(value)) return this.#list(value);
      return isPlainObject(value) ? this.#record(value) : (this.#builtIn(value) ?? this.identityOf(value));
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #list(items: Iterable<unknown>): string {
    return `[${Array.from(items, (item) => this.write(item)).join(',')}]`;
  }

  #record(value: object): string {
    const entries = Reflect.ownKeys(value)
      // Properties that are not enumerable are markers, such as the one of frozen schemas.
      .filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
      .map((key) => {
        const name = typeof key === 'symbol' ? this.#symbol(key) : JSON.stringify(key);
        return `${name}:${this.write((value as Record<PropertyKey, unknown>)[key])}`;
      });
    return `{${entries.sort().join(',')}}`;
  }

  /**
   * The text for a built-in class that is compared by content. Undefined for others, such as
   * subclasses of them.
   */
  #builtIn(value: object): string | undefined {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (types.isDate(value) && prototype === Date.prototype) return `Date(${value.getTime()})`;
    if (types.isMap(value) && prototype === Map.prototype) return `Map${this.#list(value)}`;
    if (types.isSet(value) && prototype === Set.prototype) return `Set${this.#list(value)}`;
    if (value instanceof URL && prototype === URL.prototype) return `URL(${JSON.stringify(value.href)})`;
    const bytes = BYTES.has(prototype) ? bytesOf(value) : undefined;
    return bytes && `${value.constructor.name}(${createHash('sha256').update(bytes).digest('base64')})`;
  }

  #symbol(symbol: symbol): string {
    const key = Symbol.keyFor(symbol);
    return key === undefined ? this.identityOf(symbol) : `@${JSON.stringify(key)}`;
  }
}

class ContentWriter extends StableWriter {
  protected override identityOf(value: WeakKey): never {
    const what =
      typeof value === 'object' ? `an instance of ${value.constructor?.name ?? 'a class'}` : `a ${typeof value}`;
    throw new UnknownContentException(`${what} cannot be compared by its content`);
  }
}

const BYTES: ReadonlySet<unknown> = new Set(
  [
    [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array],
    [Float64Array, BigInt64Array, BigUint64Array, DataView, ArrayBuffer, Buffer],
  ].flatMap((types) => types.map((type) => type.prototype as unknown)),
);

function bytesOf(value: object): Uint8Array | undefined {
  if (types.isAnyArrayBuffer(value)) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

import { types } from 'node:util';
import { ToolResult } from '../../model/tool-result.js';
import type { Type } from '@nestor-ai/schema';
import { exposedProperties } from './serialize-instance.js';

/** Replaces a reference of an object to itself. */
const CYCLE_MARK = '[Circular]';

/**
 * The maximum number of values in a result. An object with many paths to itself would be written
 * once per path.
 */
const MAX_VALUES = 1_000_000;

/** The maximum nesting depth of a result. */
const MAX_DEPTH = 1000;

/**
 * Converts any value to JSON text. Types that JSON lacks use the closest form: BigInt as decimal
 * text, Map and Set as object and array, bytes as base64, an Error as its name and message. A
 * cycle becomes {@link CYCLE_MARK}; functions and symbols are omitted. Instances of classes with
 * class-transformer decorators are serialized by them, so that properties excluded from HTTP
 * responses are excluded here too.
 *
 * @throws RangeError for more than a million values or a thousand levels
 * @throws the error of a `toJSON` method
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(isPlainRecord(value) ? value : new PlainWriter().write(value)) ?? 'null';
}

/** The most common result: an object that only has JSON values. */
function isPlainRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isJsonPrimitive(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false;
  for (const key in value) if (!isJsonPrimitive((value as Record<string, unknown>)[key])) return false;
  return true;
}

function isJsonPrimitive(value: unknown): boolean {
  const type = typeof value;
  return value === null || type === 'string' || type === 'number' || type === 'boolean';
}

class PlainWriter {
  readonly #ancestors = new Set<object>();
  #count = 0;

  /** @param declaredType the class that a plain object is treated as */
  write(value: unknown, declaredType?: Type): unknown {
    if (++this.#count > MAX_VALUES) {
      throw new RangeError(
        'The result has more than 1,000,000 values, or references itself too many times. Return less data.',
      );
    }
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
    }
    if (this.#ancestors.has(value)) return CYCLE_MARK;
    if (this.#ancestors.size >= MAX_DEPTH) throw new RangeError('The result is nested more than 1,000 levels deep.');
    this.#ancestors.add(value);
    try {
      return this.#writeObject(value, declaredType);
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #writeObject(value: object, declaredType: Type | undefined, usesToJson = true): unknown {
    if (types.isNativeError(value) || value instanceof Error) return { name: value.name, message: value.message };
    // The other parts of a ToolResult are not intended for a model.
    if (ToolResult.isToolResult(value)) return value.text;
    const bytes = bytesOf(value);
    if (bytes) return Buffer.from(bytes).toString('base64');
    if (Array.isArray(value)) return value.map((item) => this.write(item, declaredType) ?? null);
    if (types.isSet(value)) return [...value].map((item) => this.write(item, declaredType) ?? null);
    if (types.isMap(value)) return this.#writeMap(value, declaredType);
    const exposed = exposedProperties(value, declaredType);
    if (exposed) return this.#record(exposed.map((property) => [property.name, property.value, property.declaredType]));
    if (usesToJson && typeof (value as { toJSON?: unknown }).toJSON === 'function') {
      const json: unknown = (value as { toJSON(): unknown }).toJSON();
      // Use the result without calling `toJSON` again: it may be the object itself or a copy with
      // the same `toJSON`.
      return hasToJson(json) ? this.#writeObject(json, undefined, false) : this.write(json);
    }
    return this.#record(Object.entries(value));
  }

  /**
   * Keys that are not strings become JSON text. If two keys would become the same, the map becomes
   * a list of pairs.
   */
  #writeMap(map: ReadonlyMap<unknown, unknown>, declaredType: Type | undefined): unknown {
    const entries = [...map].map(([key, item]) => [this.#keyText(key), item, declaredType] as const);
    if (new Set(entries.map(([key]) => key)).size === entries.length) return this.#record(entries);
    return [...map].map(([key, item]) => [this.write(key) ?? null, this.write(item, declaredType) ?? null]);
  }

  #keyText(key: unknown): string {
    const written = typeof key === 'symbol' ? key.toString() : this.write(key);
    return typeof written === 'string' ? written : (JSON.stringify(written) ?? 'undefined');
  }

  #record(entries: readonly (readonly [string, unknown, (Type | undefined)?])[]): unknown {
    // Without a prototype, `__proto__` is a normal key.
    const record = Object.create(null) as Record<string, unknown>;
    for (const [key, item, declaredType] of entries) record[key] = this.write(item, declaredType);
    return record;
  }
}

function hasToJson(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { toJSON?: unknown }).toJSON === 'function' &&
    !types.isDate(value)
  );
}

function bytesOf(value: object): Uint8Array | undefined {
  if (types.isUint8Array(value)) return value;
  if (types.isAnyArrayBuffer(value)) return new Uint8Array(value);
  return types.isDataView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

import { serializeInstance } from './serialize-instance.js';

/** Stands where an object contains itself. */
const CYCLE_MARK = '[Circular]';

/**
 * JSON text of any value. What JSON lacks is written in the nearest form: BigInt as decimal text, Map
 * and Set as object and array, bytes as base64, an Error as its name and message; a cycle is cut with
 * {@link CYCLE_MARK}, functions and symbols are left out. Instances of classes with decorators of class-transformer are
 * serialised by it, so that what is excluded from HTTP responses is excluded here.
 *
 * @throws whatever a `toJSON` throws
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(isPlainRecord(value) ? value : toPlain(value, [])) ?? 'null';
}

/** The commonest result by far: an object whose values JSON knows. */
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

function toPlain(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  }
  if (ancestors.includes(value)) return CYCLE_MARK;
  const inside = [...ancestors, value];
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const serialized = serializeInstance(value);
  if (serialized) return toPlainRecord(Object.entries(serialized), inside);
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    const json: unknown = (value as { toJSON(): unknown }).toJSON();
    // What it gives is taken as it is: it may be the object itself.
    return json === value ? toPlainRecord(Object.entries(value), inside) : toPlain(json, inside);
  }
  if (Array.isArray(value)) return value.map((item) => toPlain(item, inside) ?? null);
  if (value instanceof Set) return [...value].map((item) => toPlain(item, inside) ?? null);
  if (value instanceof Map)
    return toPlainRecord(
      [...value].map(([key, item]) => [String(key), item]),
      inside,
    );
  if (value instanceof Error) return { name: value.name, message: value.message };
  return toPlainRecord(Object.entries(value), inside);
}

function toPlainRecord(entries: readonly (readonly [string, unknown])[], ancestors: readonly object[]): unknown {
  // Without a prototype, a key such as `__proto__` is a key like any other.
  const record = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of entries) record[key] = toPlain(item, ancestors);
  return record;
}

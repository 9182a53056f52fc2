import { isPlainObject } from './is-plain-object.js';

// What JSON has no text for is told apart by what it is, not by what it looks like.
const identities = new WeakMap<WeakKey, number>();
let known = 0;

/** The same text for equal values, whatever the order of their keys. Functions and instances of classes are equal to themselves only. */
export function stableJson(value: unknown): string {
  return write(value, []);
}

function write(value: unknown, parents: readonly object[]): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return symbolText(value);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
    return JSON.stringify(value) ?? 'undefined';
  if (parents.includes(value)) return identityOf(value);
  const inside = [...parents, value];
  if (Array.isArray(value)) return `[${value.map((item) => write(item, inside)).join(',')}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (typeof value === 'function' || !isPlainObject(value)) return identityOf(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const named = entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item, inside)}`);
  const symbols = Object.getOwnPropertySymbols(value).map(
    (key) => `${symbolText(key)}:${write((value as Record<symbol, unknown>)[key], inside)}`,
  );
  return `{${[...named, ...symbols.sort()].join(',')}}`;
}

function symbolText(symbol: symbol): string {
  const key = Symbol.keyFor(symbol);
  return key === undefined ? identityOf(symbol) : `@${key}`;
}

function identityOf(value: WeakKey): string {
  let identity = identities.get(value);
  if (identity === undefined) identities.set(value, (identity = ++known));
  return `#${identity}`;
}

/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Whether the value is a promise. Awaiting a plain value costs one turn of the microtask queue
 * each time, so callers check first.
 */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

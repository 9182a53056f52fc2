/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Whether there is something to wait for. To wait for a plain value costs a turn of the event loop each time. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

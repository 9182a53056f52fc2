/** A class. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any class, whatever its constructor takes
export type Type<T = unknown> = abstract new (...args: any[]) => T;

/** A class that can be instantiated without arguments. */
export type Constructor<T = unknown> = new () => T;

/** Whether a value is a class or a function that may be one. */
export function isType(value: unknown): value is Type {
  return typeof value === 'function' && value.prototype !== undefined;
}

/** A class. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any class, whatever its constructor takes
export type Type<T = unknown> = abstract new (...args: any[]) => T;

/** A class that can be instantiated without arguments. */
export type Constructor<T = unknown> = new () => T;

/** The name of a class, or of the class that a prototype or an instance is of. */
export function classNameOf(target: object | undefined): string {
  return (typeof target === 'function' ? target : target?.constructor)?.name ?? 'unknown class';
}

/** Whether a value is a class or a function that may be one. */
export function isType(value: unknown): value is Type {
  return typeof value === 'function' && value.prototype !== undefined;
}

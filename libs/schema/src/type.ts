/** A class. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any constructor
export type Type<T = unknown> = abstract new (...args: any[]) => T;

/** A class that can be instantiated without arguments. */
export type Constructor<T = unknown> = new () => T;

/** The name of a class, or of the class of a prototype or instance. */
export function classNameOf(target: object | undefined): string {
  return (typeof target === 'function' ? target : target?.constructor)?.name ?? 'unknown class';
}

/** Whether a value is a class, or a function that may be one. */
export function isType(value: unknown): value is Type {
  return typeof value === 'function' && value.prototype !== undefined;
}

/** A class and its ancestors, itself first. */
export function lineageOf(type: unknown): Type[] {
  const classes: Type[] = [];
  for (let at = type; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    classes.push(at as unknown as Type);
  }
  return classes;
}

/** The own values of an object and its prototypes under a key, nearest first. */
export function ownValuesOf(target: object, key: PropertyKey): unknown[] {
  const values: unknown[] = [];
  for (let at: object | null = target; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    const value: unknown = Object.getOwnPropertyDescriptor(at, key)?.value;
    if (value !== undefined) values.push(value);
  }
  return values;
}

const BUILT_IN: ReadonlySet<unknown> = new Set([
  String,
  Number,
  Boolean,
  Date,
  Array,
  Object,
  Function,
  Map,
  Set,
  Promise,
  Symbol,
]);

/** Whether a type is a built-in that nobody decorates. */
export function isBuiltIn(type: unknown): boolean {
  return BUILT_IN.has(type);
}

/** Whether an object inherits from a prototype, even if it overrides `Symbol.hasInstance`. */
export function isInstanceOf(value: object, prototype: object): boolean {
  return Object.prototype.isPrototypeOf.call(prototype, value);
}

/**
 * Whether an object is plain data and not a class instance. Objects from other realms and without
 * a prototype count as plain.
 */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  // The prototype must be some realm's Object.prototype, not another object without a prototype.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

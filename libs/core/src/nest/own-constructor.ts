import 'reflect-metadata';

/** Nest's metadata keys for the parameter types of a constructor and for `@Inject()`. */
const PARAMETER_TYPES = 'design:paramtypes';
const INJECTED_PARAMETERS = 'self:paramtypes';

/**
 * Removes the `@Inject()` metadata that a class inherits from the constructor of its base class.
 * Otherwise Nest would inject the options of the base class as the first argument of the class's
 * own constructor.
 */
export function separateOwnConstructor(type: unknown): void {
  if (typeof type !== 'function' || !Reflect.hasOwnMetadata(PARAMETER_TYPES, type)) return;
  // If a class decorates its own parameters, Nest also copies the inherited metadata to it.
  const injected = (Reflect.getMetadata(INJECTED_PARAMETERS, type) ?? []) as readonly unknown[];
  const base = Object.getPrototypeOf(type) as object;
  const inherited = new Set((Reflect.getMetadata(INJECTED_PARAMETERS, base) ?? []) as readonly unknown[]);
  Reflect.defineMetadata(
    INJECTED_PARAMETERS,
    injected.filter((parameter) => !inherited.has(parameter)),
    type,
  );
}

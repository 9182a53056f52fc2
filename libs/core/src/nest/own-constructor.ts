import 'reflect-metadata';

/** Nest's keys for the types of a constructor's parameters, and for what `@Inject()` says of them. */
const PARAMETER_TYPES = 'design:paramtypes';
const INJECTED_PARAMETERS = 'self:paramtypes';

/**
 * Keeps what the parameters of an inherited constructor are given from the parameters of a class's own: Nest would inject the
 * options of the base class in the place of whatever the class itself wants first.
 */
export function separateOwnConstructor(type: unknown): void {
  if (typeof type !== 'function' || !Reflect.hasOwnMetadata(PARAMETER_TYPES, type)) return;
  // Nest copies the metadata of inherited parameters to a class that decorates its own.
  const said = (Reflect.getMetadata(INJECTED_PARAMETERS, type) ?? []) as readonly unknown[];
  const base = Object.getPrototypeOf(type) as object;
  const inherited = new Set((Reflect.getMetadata(INJECTED_PARAMETERS, base) ?? []) as readonly unknown[]);
  Reflect.defineMetadata(
    INJECTED_PARAMETERS,
    said.filter((parameter) => !inherited.has(parameter)),
    type,
  );
}

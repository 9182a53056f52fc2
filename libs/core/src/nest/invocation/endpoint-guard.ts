/**
 * The key that marks a global guard as the guard of one HTTP endpoint, with the value `true`.
 *
 * A library adds such a guard to `ApplicationConfig` to run it before all other guards of its
 * endpoint. It is not a guard of the application, so it says nothing about who may call tools.
 */
export const ENDPOINT_GUARD: unique symbol = Symbol.for('nestor.endpoint-guard') as never;

/** Whether a guard only protects one HTTP endpoint. */
export function isEndpointGuard(guard: object): boolean {
  return ENDPOINT_GUARD in guard;
}

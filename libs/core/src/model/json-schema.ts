/**
 * A JSON Schema (draft 2020-12) as a plain object.
 *
 * Deliberately loose: schemas come from users, libraries and other servers, and are handed to the
 * model as they are.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * Returns a deep copy that nobody can change, so that one object can be sent with every request.
 */
export function freezeSchema(schema: JsonSchema): JsonSchema {
  return deepFreeze(structuredClone(schema));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}

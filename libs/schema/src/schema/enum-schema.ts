import type { JsonSchema } from '../json/json-schema.js';

/** The schema of an enumeration. */
export function enumSchema(values: readonly unknown[]): JsonSchema {
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  return { ...(types.size === 1 && (type === 'string' || type === 'number') && { type }), enum: [...new Set(values)] };
}

/** Whether a value is a compiled TypeScript enum. */
export function isEnumObject(type: unknown): type is Readonly<Record<string, string | number>> {
  return (
    typeof type === 'object' &&
    type !== null &&
    !Array.isArray(type) &&
    Object.keys(type).length > 0 &&
    Object.values(type).every((value) => typeof value === 'string' || typeof value === 'number')
  );
}

/** The values of an enum, without the reverse mapping of numeric enums. */
export function enumValues(type: Readonly<Record<string, string | number>>): (string | number)[] {
  return Object.entries(type)
    .filter(([key, value]) => !(typeof value === 'string' && type[value] === Number(key)))
    .map(([, value]) => value);
}

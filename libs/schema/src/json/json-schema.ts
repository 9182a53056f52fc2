/**
 * A JSON Schema (draft 2020-12) as a plain object.
 *
 * The type is deliberately loose: schemas come from users, libraries and other servers, and reach
 * the model unchanged.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Marks a frozen copy. Not enumerable, so that it is never sent. */
const COPY = Symbol('nestor.FrozenSchema');

const MAX_DEPTH = 500;

/**
 * Returns a deeply frozen copy, so that the same object can be sent with every request. Returns a
 * copy that this function made before unchanged.
 *
 * @throws TypeError for a schema that contains itself or is nested too deeply
 */
export function freezeSchema(schema: JsonSchema): JsonSchema {
  if (Object.hasOwn(schema, COPY)) return schema;
  return frozenCopy(schema, 0) as JsonSchema;
}

/**
 * Freezes a schema deeply without copying it. For schemas that only Nestor has. Copies that
 * {@link freezeSchema} makes later contain the schema itself.
 *
 * @throws TypeError for a schema that contains itself or is nested too deeply
 */
export function freezeInPlace(schema: JsonSchema): JsonSchema {
  if (Object.hasOwn(schema, COPY)) return schema;
  if (Object.isExtensible(schema)) Object.defineProperty(schema, COPY, { value: true });
  freezeDeeply(schema, 0);
  return schema;
}

function freezeDeeply(value: object, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  for (const key in value) {
    const child: unknown = (value as Record<string, unknown>)[key];
    if (typeof child === 'object' && child !== null) freezeDeeply(child, depth + 1);
  }
  Object.freeze(value);
}

// Ten times as fast as structuredClone. Schemas only contain JSON values.
function frozenCopy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) {
    throw tooDeep();
  }
  if (Object.hasOwn(value, COPY)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1)));
  if (value instanceof Date) return value.toJSON();
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const child = frozenCopy((value as Record<string, unknown>)[key], depth + 1);
    if (key === '__proto__') Object.defineProperty(copy, key, { value: child, enumerable: true });
    else copy[key] = child;
  }
  if (depth === 0) Object.defineProperty(copy, COPY, { value: true });
  return Object.freeze(copy);
}

function tooDeep(): TypeError {
  return new TypeError(
    `The schema contains itself, or is nested more than ${MAX_DEPTH} levels deep. Use $ref and $defs.`,
  );
}

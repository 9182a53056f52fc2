import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';
import { enumSchema } from './enum-schema.js';

/** Keywords that describe a value in a way that is not compared. */
const OTHER_SHAPES = ['$ref', 'properties', 'anyOf', 'oneOf', 'allOf'];

/**
 * A schema with what another one says as well: its kind of value, its values, its limits.
 *
 * @returns undefined if no value matches both, or the other one describes the value in another way
 */
export function narrowed(schema: JsonSchema, said: JsonSchema): JsonSchema | undefined {
  if (OTHER_SHAPES.some((keyword) => keyword in said)) return undefined;
  const { type, items, additionalProperties, enum: several, const: single, ...limits } = said;
  const ofKind = type === undefined ? schema : ofKinds(schema, kindsOf(type));
  const values = Array.isArray(several) ? (several as unknown[]) : 'const' in said ? [single] : undefined;
  const chosen = ofKind && values ? withValues(ofKind, values) : ofKind;
  const filled = chosen && withInner(chosen, 'items', items);
  const whole = filled && withInner(filled, 'additionalProperties', additionalProperties);
  return whole && { ...whole, ...limits };
}

/** Narrows the schema of the items of an array, or of the values of an object. */
function withInner(schema: JsonSchema, keyword: string, said: unknown): JsonSchema | undefined {
  if (!isJsonObject(said)) return schema;
  const known = schema[keyword];
  if (!isJsonObject(known))
    return known === undefined && !('prefixItems' in schema) ? { ...schema, [keyword]: said } : schema;
  const inner = narrowed(known, said);
  return inner && { ...schema, [keyword]: inner };
}

function withValues(schema: JsonSchema, values: readonly unknown[]): JsonSchema | undefined {
  const { type, enum: several, const: single, anyOf: _alternatives, $ref: _reference, ...rest } = schema;
  const known = Array.isArray(several) ? (several as unknown[]) : 'const' in schema ? [single] : undefined;
  const kinds = type === undefined ? undefined : kindsOf(type);
  const left = values.filter((value) =>
    known ? known.includes(value) : !kinds || kinds.some((one) => isOf(value, one)),
  );
  return left.length === 0 ? undefined : { ...enumSchema(left), ...rest };
}

/** The alternatives of a schema that are of some kinds. */
function ofKinds(schema: JsonSchema, allowed: readonly unknown[]): JsonSchema | undefined {
  const { $ref, anyOf, type, enum: values, ...rest } = schema;
  // The kind of a definition is not known. Classes are objects.
  if (typeof $ref === 'string') return $ref.startsWith('#') || allowed.includes('object') ? schema : undefined;
  if (Array.isArray(anyOf)) {
    const [first, ...others] = (anyOf as JsonSchema[]).flatMap((one) => ofKinds(one, allowed) ?? []);
    if (!first) return undefined;
    return others.length === 0 ? { ...first, ...rest } : { ...rest, anyOf: [first, ...others] };
  }
  if (Array.isArray(values)) {
    const left = (values as unknown[]).filter((value) => allowed.some((kind) => isOf(value, kind)));
    return left.length === 0 ? undefined : { ...enumSchema(left), ...rest };
  }
  const kinds = type === undefined ? allowed : kindsOf(type).flatMap((kind) => commonKind(kind, allowed) ?? []);
  if (kinds.length === 0) return undefined;
  const { type: _type, ...others } = schema;
  return { type: kinds.length === 1 ? kinds[0] : kinds, ...others };
}

function commonKind(kind: unknown, allowed: readonly unknown[]): unknown {
  if (allowed.includes(kind)) return kind;
  const isWhole =
    (kind === 'number' && allowed.includes('integer')) || (kind === 'integer' && allowed.includes('number'));
  return isWhole ? 'integer' : undefined;
}

function kindsOf(type: unknown): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

function isOf(value: unknown, kind: unknown): boolean {
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  return kind === 'object' ? isJsonObject(value) : typeof value === kind;
}

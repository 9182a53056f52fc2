import type { JsonSchema } from '../json/json-schema.js';
import { valueAt } from '../schema/json-pointer.js';
import { isJsonObject } from '../json/is-json-object.js';

/** One of several schemas, with the constants that identify it. */
export interface Alternative {
  readonly schema: JsonSchema;
  /** Properties with a single value, such as `kind: 'circle'`. */
  readonly marks: readonly (readonly [property: string, value: unknown])[];
}

/**
 * The schemas of an `anyOf` or `oneOf` that can be distinguished by constants.
 *
 * @param root the schema that references are relative to
 * @returns undefined if one of them has no constant
 */
export function markedAlternatives(schemas: readonly unknown[], root: JsonSchema): Alternative[] | undefined {
  const alternatives = schemas
    .filter(isJsonObject)
    .map((schema) => ({ schema, marks: marksOf(resolve(schema, root)) }));
  return alternatives.length > 0 && alternatives.every(({ marks }) => marks.length > 0) ? alternatives : undefined;
}

/** The alternative whose constants match the value. */
export function closestAlternative(alternatives: readonly Alternative[], value: unknown): Alternative | undefined {
  if (!isJsonObject(value)) return undefined;
  const [meant, another] = alternatives.filter(({ marks }) => marks.every(([name, mark]) => value[name] === mark));
  return another ? undefined : meant;
}

/** Resolves a reference inside the schema. Returns other schemas unchanged. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  if (schema.$ref !== '#' && !schema.$ref.startsWith('#/')) return schema;
  const target = valueAt(root, schema.$ref.slice(1));
  return isJsonObject(target) ? target : schema;
}

function marksOf({ properties }: JsonSchema): Alternative['marks'] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) && isMark(property.const) ? [[name, property.const] as const] : [],
  );
}

function isMark(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

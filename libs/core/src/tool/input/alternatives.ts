import type { JsonSchema } from '../../model/json-schema.js';
import { valueAt } from '../schema/json-pointer.js';
import { isJsonObject } from './tool-input.js';

/** One of several schemas, and the constants by which it is known. */
export interface Alternative {
  readonly schema: JsonSchema;
  /** Properties with a single value, such as `kind: 'circle'`. */
  readonly marks: readonly (readonly [property: string, value: unknown])[];
}

/**
 * The schemas of an `anyOf` or `oneOf` that are told apart by constants.
 *
 * @param root what references are relative to
 * @returns undefined when one of them has none
 */
export function markedAlternatives(schemas: readonly unknown[], root: JsonSchema): Alternative[] | undefined {
  const alternatives = schemas
    .filter(isJsonObject)
    .map((schema) => ({ schema, marks: marksOf(resolve(schema, root)) }));
  return alternatives.length > 0 && alternatives.every(({ marks }) => marks.length > 0) ? alternatives : undefined;
}

/** The alternative that a value says it is. */
export function closestAlternative(alternatives: readonly Alternative[], value: unknown): Alternative | undefined {
  if (!isJsonObject(value)) return undefined;
  const [meant, another] = alternatives.filter(({ marks }) => marks.every(([name, mark]) => value[name] === mark));
  return another ? undefined : meant;
}

/** What a reference within the schema points to; a schema that is none, itself. */
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

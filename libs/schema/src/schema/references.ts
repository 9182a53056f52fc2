import type { JsonSchema } from '../json/json-schema.js';
import { escapePointer } from './json-pointer.js';
import { mapSchema } from './map-schema.js';

/**
 * Rewrites the references of a schema and all its subschemas.
 *
 * @param rewrite returns the new reference; receives the schema that contains the old one
 * @returns the schema itself if nothing changes
 */
export function rewriteReferences(
  schema: JsonSchema,
  rewrite: (reference: string, holder: JsonSchema) => string,
): JsonSchema {
  return mapSchema(schema, (inner, holder) => {
    if (typeof inner.$ref !== 'string') return inner;
    const $ref = rewrite(inner.$ref, holder);
    return $ref === inner.$ref ? inner : { ...inner, $ref };
  });
}

/** Adjusts the references of a schema that is moved away from the root. */
export function rebaseReferences(schema: JsonSchema, root: string): JsonSchema {
  return rewriteReferences(schema, (reference) => (isOfRoot(reference) ? root + reference.slice(1) : reference));
}

/**
 * Prepares a schema to become a property of an object, with its definitions in those of the
 * object.
 *
 * @param name the property's name
 */
export function hoistDefinitions(
  schema: JsonSchema,
  name: string,
): { schema: JsonSchema; $defs: Record<string, JsonSchema> } {
  const pointer = escapePointer(name);
  const { $defs, definitions, ...rest } = rewriteReferences(schema, (reference) => {
    const [, holder, definition] = /^#\/(\$defs|definitions)\/(.*)$/.exec(reference) ?? [];
    if (definition !== undefined) return `#/$defs/${pointer}.${PREFIXES[holder as keyof typeof PREFIXES]}${definition}`;
    return isOfRoot(reference) ? `#/properties/${pointer}${reference.slice(1)}` : reference;
  });
  const hoisted = Object.entries({ definitions, $defs }).flatMap(([holder, schemas]) =>
    Object.entries((schemas ?? {}) as Record<string, JsonSchema>).map(
      ([key, child]) => [`${name}.${PREFIXES[holder as keyof typeof PREFIXES]}${key}`, child] as const,
    ),
  );
  return { schema: rest, $defs: Object.fromEntries(hoisted) };
}

/** Distinguishes the definitions of the two keywords after they are merged. */
const PREFIXES = { definitions: 'definitions.', $defs: '' };

function isOfRoot(reference: string): boolean {
  return reference === '#' || reference.startsWith('#/');
}

import type { JsonSchema } from '../../model/json-schema.js';
import { escapePointer } from './json-pointer.js';
import { mapSchema } from './map-schema.js';

/**
 * Changes the references of a schema and of all schemas inside it.
 *
 * @param rewrite gives the new reference; it is told which schema has the old one
 * @returns the schema itself when none changes
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

/** The same schema, which is no longer a root: its references point to where it is now. */
export function rebaseReferences(schema: JsonSchema, root: string): JsonSchema {
  return rewriteReferences(schema, (reference) => (isOfRoot(reference) ? root + reference.slice(1) : reference));
}

/**
 * Makes a schema fit to become the property of an object, with its definitions among those of the object.
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

/** What tells the definitions of the two keywords apart once they are in one. */
const PREFIXES = { definitions: 'definitions.', $defs: '' };

function isOfRoot(reference: string): boolean {
  return reference === '#' || reference.startsWith('#/');
}

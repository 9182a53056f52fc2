import type { JsonSchema } from '../../model/json-schema.js';
import { escapePointer } from './json-pointer.js';
import { isJsonObject } from '../input/tool-input.js';

/** A schema that can stand inside another, and the definitions that go to the other's root. */
export interface HoistedSchema {
  readonly schema: JsonSchema;
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

/**
 * Makes a schema fit to become the property of an object: its references are relative to its root, which is then no
 * longer the root.
 *
 * @param name the property's name
 */
export function hoistDefinitions(schema: JsonSchema, name: string): HoistedSchema {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        key === '$ref' && typeof child === 'string' ? rewriteReference(child, name) : rewrite(child),
      ]),
    );
  };
  const { $defs = {}, definitions = {}, ...rest } = schema;
  const all = {
    ...renamedKeys(definitions as Record<string, JsonSchema>, (key) => `definitions.${key}`),
    ...($defs as Record<string, JsonSchema>),
  };
  return {
    schema: rewrite(rest) as JsonSchema,
    $defs: Object.fromEntries(
      Object.entries(all).map(([key, child]) => [`${name}.${key}`, rewrite(child) as JsonSchema]),
    ),
  };
}

function rewriteReference(reference: string, name: string): string {
  const pointer = escapePointer(name);
  const [, holder, definition] = /^#\/(\$defs|definitions)\/(.*)$/.exec(reference) ?? [];
  if (definition !== undefined) return `#/$defs/${pointer}.${holder === '$defs' ? '' : 'definitions.'}${definition}`;
  return reference === '#' || reference.startsWith('#/') ? `#/properties/${pointer}${reference.slice(1)}` : reference;
}

function renamedKeys<T>(record: Readonly<Record<string, T>>, rename: (key: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
}

/** The same schema, which is no longer a root: its references point to where it is now. */
export function rebaseReferences(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebaseReferences(item, root));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const isReference = key === '$ref' && typeof child === 'string' && (child === '#' || child.startsWith('#/'));
      return [key, isReference ? root + child.slice(1) : rebaseReferences(child, root)];
    }),
  );
}

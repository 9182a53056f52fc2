import type { JsonSchema } from '@nestor-ai/core';

/** Whether a value is an object, such as a schema that is not a boolean. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas of the properties. */
export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isSchema(properties) ? properties : {};
}

/** The names of the required properties. */
export function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}

/** The schema that a reference leads to. Undefined for one that leads outside or nowhere. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | boolean | undefined {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return isSchema(found) || typeof found === 'boolean' ? found : undefined;
}

/** The schema itself, or the one that it references, merged with what stands beside the reference. */
export function resolveSchema(schema: unknown, root: JsonSchema, depth = 0): JsonSchema {
  if (!isSchema(schema)) return {};
  if (typeof schema.$ref !== 'string' || depth > MAX_DEPTH) return schema;
  const { $ref: _reference, ...siblings } = schema;
  return mergeSchemas(resolveSchema(resolveReference(root, schema.$ref), root, depth + 1), siblings);
}

const MAX_DEPTH = 20;

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** A copy with other references, or the same schema if none changes. */
export function rewriteReferences<T>(schema: T, rewrite: (reference: string) => string): T {
  if (Array.isArray(schema)) return schema.map((item) => rewriteReferences(item as unknown, rewrite)) as T;
  if (!isSchema(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? rewrite(value) : rewriteReferences(value, rewrite),
    ]),
  ) as T;
}

/**
 * One schema for values that should fit both. Where both have the same keyword, the second wins,
 * except for properties and required names, which are joined.
 */
export function mergeSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...first, ...second };
  if (isSchema(first.properties) && isSchema(second.properties)) {
    const properties: Record<string, unknown> = { ...first.properties };
    for (const [name, property] of Object.entries(second.properties)) {
      const before = properties[name];
      properties[name] = isSchema(before) && isSchema(property) ? mergeSchemas(before, property) : property;
    }
    merged.properties = properties;
  }
  if (first.required !== undefined && second.required !== undefined) {
    merged.required = [...new Set([...requiredOf(first), ...requiredOf(second)])];
  }
  return merged;
}

/** The types of a schema, by `type` or else by its values and keywords. Empty for any value. */
export function typesOf({ type, ...schema }: JsonSchema): readonly string[] {
  const nullable = schema.nullable === true ? ['null'] : [];
  if (typeof type === 'string') return [...new Set([type, ...nullable])];
  if (Array.isArray(type)) return [...new Set([...(type as string[]), ...nullable])];
  if ('const' in schema) return [typeOfValue(schema.const)];
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(typeOfValue))];
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ['object', ...nullable];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array', ...nullable];
  return [];
}

/** The JSON Schema type of a JSON value. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'discriminator', '$comment']);

/** The keywords of a schema that determine which values fit. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword)));
}

/** The path of a property in the arguments. */
export function joinPlace(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}

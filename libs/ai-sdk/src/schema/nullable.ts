import type { JsonSchema } from '@nestor-ai/core';
import { isSchema, resolveReference, typesOf } from './json-schema.js';

const MAX_DEPTH = 20;
const NULL: JsonSchema = Object.freeze({ type: 'null' });

/** Whether null fits a schema. */
export function allowsNull(schema: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isSchema(schema) || depth > MAX_DEPTH) return schema !== false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) return false;
  if ('const' in schema && schema.const !== null) return false;
  const allows = (one: unknown): boolean => allowsNull(one, root, depth + 1);
  if (typeof schema.$ref === 'string' && !allows(resolveReference(root, schema.$ref) ?? true)) return false;
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(branches) && schema.nullable !== true && !branches.some(allows)) return false;
  }
  if (Array.isArray(schema.allOf) && !schema.allOf.every(allows)) return false;
  const types = typesOf(schema);
  return types.length === 0 || types.includes('null');
}

/** A strict schema that also allows null. */
export function withNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...(schema.anyOf as unknown[]), NULL] };
  const { type } = schema;
  if (type === undefined || 'const' in schema || type === 'object' || type === 'array') {
    return { anyOf: [schema, NULL] };
  }
  return {
    ...schema,
    type: [...[type].flat(), 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...(schema.enum as unknown[]), null] }),
  };
}

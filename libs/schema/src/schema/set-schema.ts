import type { JsonSchema } from '../json/json-schema.js';

/**
 * The schema of a Set. Objects are always distinct, and comparing thousands of them takes minutes.
 */
export function setOf(items: JsonSchema): JsonSchema {
  const isSimple = typeof items.type === 'string' && items.type !== 'object' && items.type !== 'array';
  return { type: 'array', items, ...(isSimple && { uniqueItems: true }) };
}

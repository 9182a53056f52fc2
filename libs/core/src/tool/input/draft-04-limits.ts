import type { JsonSchema } from '../../model/json-schema.js';
import { isJsonObject } from './tool-input.js';

/**
 * A schema whose limits a validator of today understands. In draft 04, which many servers still write without saying so,
 * `exclusiveMinimum: true` says that `minimum` itself does not count.
 *
 * @returns the schema itself when there is nothing to translate
 */
export function translateDraft04Limits(schema: JsonSchema): JsonSchema {
  return translate(schema) as JsonSchema;
}

function translate(value: unknown): unknown {
  if (Array.isArray(value)) return changed(value, value.map(translate));
  if (!isJsonObject(value)) return value;
  let copy: Record<string, unknown> = value;
  for (const [key, child] of Object.entries(value)) {
    // What a value may be is no schema, whatever it looks like.
    const after =
      key === 'enum' || key === 'const' || key === 'default' || key === 'examples' ? child : translate(child);
    if (after !== child) copy = { ...copy, [key]: after };
  }
  return translateLimit(translateLimit(copy, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum');
}

function translateLimit(schema: Record<string, unknown>, limit: string, exclusive: string): Record<string, unknown> {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [limit]: bound, [exclusive]: isExclusive, ...rest } = schema;
  if (typeof bound !== 'number') return rest;
  return { ...rest, [isExclusive ? exclusive : limit]: bound };
}

function changed(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.some((item, index) => item !== before[index]) ? after : before;
}

import type { JsonSchema } from '@nestor-ai/core';

/** What a schema says of the arguments of a tool. */
export interface ParameterTexts {
  readonly names: string[];
  readonly descriptions: string[];
  /** The words that an argument may be. */
  readonly values: string[];
}

/** How deep schemas are read: whatever lies deeper says little of the tool. */
const MAX_DEPTH = 4;

/** Reads the names, descriptions and words of a schema's properties, also of those inside of others. */
export function parameterTextsOf(schema: JsonSchema | undefined): ParameterTexts {
  const texts: ParameterTexts = { names: [], descriptions: [], values: [] };
  collect(schema, texts, 0);
  return texts;
}

function collect(node: unknown, texts: ParameterTexts, depth: number): void {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return;
  const { properties, items, enum: values, anyOf, oneOf, allOf } = node as Record<string, unknown>;
  if (depth > 0 && Array.isArray(values)) texts.values.push(...values.filter((value) => typeof value === 'string'));
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, property] of Object.entries(properties) as [string, unknown][]) {
      texts.names.push(name);
      const { description } = (property ?? {}) as { description?: unknown };
      if (typeof description === 'string') texts.descriptions.push(description);
      collect(property, texts, depth + 1);
    }
  }
  collect(items, texts, depth + 1);
  for (const alternatives of [anyOf, oneOf, allOf]) {
    if (Array.isArray(alternatives)) for (const alternative of alternatives) collect(alternative, texts, depth + 1);
  }
}

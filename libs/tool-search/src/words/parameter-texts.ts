import type { JsonSchema } from '@nestor-ai/core';

/** The texts in the schema of a tool's arguments. */
export interface ParameterTexts {
  readonly names: string[];
  readonly descriptions: string[];
  /** The allowed words of arguments (`enum`). */
  readonly values: string[];
}

/** The maximum depth. Deeper parts say little about the tool. */
const MAX_DEPTH = 4;

/**
 * Collects names, descriptions and enum words of a schema's properties, including nested and
 * referenced ones. A part with many references counts once: its copies could fill the memory.
 */
export function parameterTextsOf(schema: JsonSchema | undefined): ParameterTexts {
  const texts: ParameterTexts = { names: [], descriptions: [], values: [] };
  collect(schema, schema, texts, 0, new Map());
  return texts;
}

function collect(node: unknown, root: unknown, texts: ParameterTexts, depth: number, read: Map<object, number>): void {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH || depth >= (read.get(node) ?? Infinity)) return;
  read.set(node, depth);
  const schema = node as Record<string, unknown>;
  if (depth > 0) for (const value of listOf(schema.enum)) if (typeof value === 'string') texts.values.push(value);
  if (typeof schema.properties === 'object' && schema.properties !== null) {
    for (const [name, property] of Object.entries(schema.properties) as [string, unknown][]) {
      texts.names.push(name);
      const { description } = (property ?? {}) as { description?: unknown };
      if (typeof description === 'string') texts.descriptions.push(description);
      collect(property, root, texts, depth + 1, read);
    }
  }
  const inside = [schema.items, schema.additionalProperties, ...listOf(schema.prefixItems)];
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(listOf);
  for (const other of [...inside, ...alternatives, referredTo(schema.$ref, root)])
    collect(other, root, texts, depth + 1, read);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Resolves a reference inside the same schema: `#/$defs/Address`. */
function referredTo(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  const path = reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.reduce<unknown>(
    (node, part) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[part] : undefined),
    root,
  );
}

import type { JsonSchema } from '@nestor-ai/core';
import {
  isSchema,
  mergeSchemas,
  propertiesOf,
  requiredOf,
  resolveReference,
  rewriteReferences,
  typesOf,
} from './json-schema.js';

/** The keywords that OpenAI and Anthropic refuse at the root of a tool's schema. */
const REFUSED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not'] as const;

const MAX_DEPTH = 20;
const MAX_REFERENCES = 1000;

/**
 * A schema whose root is one object. OpenAI requires "type 'object'" without "'oneOf'/'anyOf'/
 * 'allOf'/'enum'/'not' at the top level", and Anthropic "does not support oneOf, allOf, or anyOf at
 * the top level". A union becomes an object with the properties of all its branches. Those that all
 * branches require are required, and the description lists the branches. Arguments still have to
 * fit the union, because Nestor validates them against the original schema.
 */
export function toObjectRoot(schema: JsonSchema): JsonSchema {
  if (!REFUSED.some((keyword) => keyword in schema)) return completed(schema);
  const form = formOf(schema, schema, 0, { left: MAX_REFERENCES });
  if (!form) return schema;
  const { $defs: _defs, definitions: _definitions, ...written } = form;
  return completed(keepReferences(written, schema));
}

/** Adds redundant keywords that foreign schemas may omit and some APIs require. */
export function completed(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined && schema.type !== 'object') return schema;
  return schema.type === 'object' && schema.properties !== undefined
    ? schema
    : { ...schema, type: 'object', properties: schema.properties ?? {} };
}

/** The objects that fit a schema, as one object schema. Undefined if no object fits. */
function formOf(schema: unknown, root: JsonSchema, depth: number, links: { left: number }): JsonSchema | undefined {
  if (schema === true) return { type: 'object' };
  if (!isSchema(schema) || depth > MAX_DEPTH) return undefined;
  const { $ref, anyOf, oneOf, allOf, enum: _enum, const: _const, not: _not, ...own } = schema;
  if (typeof $ref === 'string') {
    const target = links.left-- > 0 && resolveReference(root, $ref);
    const { $ref: _reference, ...siblings } = schema;
    return isSchema(target) ? formOf(mergeSchemas(target, siblings), root, depth + 1, links) : undefined;
  }
  const types = typesOf(own);
  if (types.length > 0 && !types.includes('object')) return undefined;
  let form: JsonSchema = { ...own, type: 'object' };
  for (const member of Array.isArray(allOf) ? allOf : []) {
    const other = formOf(member, root, depth + 1, links);
    if (other) form = mergeSchemas(form, other);
  }
  for (const alternatives of [anyOf, oneOf]) {
    if (!Array.isArray(alternatives)) continue;
    const base = form;
    const forms = alternatives
      .map((branch) => formOf(branch, root, depth + 1, links))
      .filter((branch) => branch !== undefined)
      .map((branch) => mergeSchemas(base, branch));
    if (forms.length === 0) return undefined;
    form = unionOf(base, forms);
  }
  return form;
}

function unionOf(base: JsonSchema, forms: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = forms as [JsonSchema, ...JsonSchema[]];
  if (others.length === 0) return first;
  const names = [...new Set(forms.flatMap((form) => Object.keys(propertiesOf(form))))];
  const variants = (name: string): unknown[] =>
    forms.flatMap((form) => (Object.hasOwn(propertiesOf(form), name) ? [propertiesOf(form)[name]] : []));
  const isRequired = (name: string): boolean => forms.every((form) => requiredOf(form).includes(name));
  const { additionalProperties: _others, ...rest } = base;
  const differing = names.filter((name) => distinct(variants(name)).length > 1 || !isSameIn(forms, name));
  return {
    ...rest,
    type: 'object',
    description: [base.description, describe(forms, differing)].filter(Boolean).join('\n'),
    properties: Object.fromEntries(names.map((name) => [name, anyOfSchemas(variants(name))])),
    required: [...new Set(forms.flatMap(requiredOf))].filter(isRequired),
    ...(forms.every(({ additionalProperties }) => additionalProperties === false) && { additionalProperties: false }),
  };
}

function isSameIn(forms: readonly JsonSchema[], name: string): boolean {
  return new Set(forms.map((form) => `${name in propertiesOf(form)} ${requiredOf(form).includes(name)}`)).size === 1;
}

/** A schema for values that fit one of the schemas. */
function anyOfSchemas(schemas: readonly unknown[]): unknown {
  const variants = distinct(schemas);
  const values = variants.map(valuesOf);
  if (variants.length === 1) return variants[0];
  if (values.every((list) => list !== undefined)) {
    const all = [...new Set(values.flat())];
    const { const: _value, enum: _values, ...rest } = variants[0] as JsonSchema;
    const type = [...new Set(variants.flatMap((variant) => typesOf(variant as JsonSchema)))];
    return { ...rest, type: type.length === 1 ? type[0] : type, enum: all };
  }
  return { anyOf: variants };
}

function distinct(schemas: readonly unknown[]): unknown[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function valuesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isSchema(schema)) return undefined;
  return 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** Which properties belong together: `{ kind: "circle", radius } or { kind: "square", side }`. */
function describe(forms: readonly JsonSchema[], names: readonly string[]): string {
  const texts = distinct(
    forms.map((form) => {
      const own = names.filter((name) => name in propertiesOf(form) || requiredOf(form).includes(name));
      const said = own.map((name) => {
        const values = valuesOf(propertiesOf(form)[name]);
        const optional = requiredOf(form).includes(name) ? '' : '?';
        return `${name}${optional}${values?.length === 1 ? `: ${JSON.stringify(values[0])}` : ''}`;
      });
      return said.length > 0 ? `{ ${said.join(', ')} }` : '{}';
    }),
  );
  return texts.length > 1 ? `Use one of these forms: ${texts.join(' or ')}.` : '';
}

/** References to definitions stay. Others would lead to a place that the new root does not have. */
function keepReferences(form: JsonSchema, root: JsonSchema): JsonSchema {
  const { $defs, definitions, ...original } = root;
  const name = unusedName(isSchema($defs) ? $defs : {});
  let isReferenced = false;
  const rewrite = (reference: string): string => {
    if (!reference.startsWith('#') || /^#\/(?:\$defs|definitions)\//.test(reference)) return reference;
    isReferenced = true;
    return `#/$defs/${name}${reference.slice(1)}`;
  };
  const written = rewriteReferences(form, rewrite);
  const kept = rewriteReferences({ $defs, definitions }, rewrite);
  const added = isReferenced ? { [name]: rewriteReferences(original, rewrite) } : {};
  return {
    ...written,
    ...((kept.$defs !== undefined || isReferenced) && { $defs: { ...(kept.$defs as object), ...added } }),
    ...(kept.definitions !== undefined && { definitions: kept.definitions }),
  };
}

function unusedName(taken: JsonSchema): string {
  let name = 'root';
  while (Object.hasOwn(taken, name)) name += '_';
  return name;
}

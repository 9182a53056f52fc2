import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@nestor-ai/schema';

/** A schema, and the one that its references lead into. */
export interface Located {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** One type of value that a schema allows. */
export interface Alternative {
  readonly type: string;
  /** Keywords without schemas in them, with what they mean when they are absent. */
  readonly keywords: Readonly<Record<string, unknown>>;
  /** The schemas of properties, items and all other values inside. */
  readonly inner: ReadonlyMap<string, Located>;
}

/** All that a schema allows. */
export interface Alternatives {
  /** Single values as JSON, in order. */
  readonly literals: readonly string[];
  readonly others: readonly Alternative[];
  readonly annotations: Readonly<Record<string, unknown>>;
}

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', '$comment']);
const STRUCTURE = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  '$ref',
  'type',
  'anyOf',
  'oneOf',
  'const',
  'enum',
]);
const OF_OBJECTS = new Set(['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames']);
const OF_ARRAYS = new Set(['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems']);

// The same object each time, so that recursion through references with comments is noticed.
const merged = new WeakMap<JsonSchema, JsonSchema>();

/** Follows references. Keywords beside a reference are added to what it leads to. */
export function resolved(located: Located): Located {
  const { schema, root } = located;
  const { $ref, ...beside } = schema;
  if (typeof $ref !== 'string') return located;
  const path = decodeURIComponent($ref).split('/').slice(1);
  const target = path.reduce((at, key) => at[key] as JsonSchema, root);
  if (target === undefined) throw new Error(`${$ref} leads to nothing.`);
  const { $defs: _defs, definitions: _definitions, ...added } = beside;
  const found = resolved({ schema: target, root });
  if (Object.keys(added).length === 0) return found;
  let both = merged.get(schema);
  if (!both) merged.set(schema, (both = { ...found.schema, ...added }));
  return { schema: both, root };
}

export function alternativesOf(located: Located): Alternatives {
  const { schema, root } = resolved(located);
  const annotations = Object.entries(schema).filter(([name]) => ANNOTATIONS.has(name));
  const literals = new Set<string>();
  const others: Alternative[] = [];
  for (const one of branchesOf(schema)) {
    if (one !== schema) {
      const inner = alternativesOf({ schema: one, root });
      inner.literals.forEach((literal) => literals.add(literal));
      others.push(...inner.others.map((other) => withAnnotations(other, inner.annotations)));
    } else if (schema['const'] !== undefined || schema['enum'] !== undefined) {
      const values = (schema['enum'] as readonly unknown[] | undefined) ?? [schema['const']];
      values.forEach((value) => literals.add(JSON.stringify(value)));
    } else for (const type of typesOf(schema)) addType(type, { schema, root }, literals, others);
  }
  return { literals: [...literals].sort(), others, annotations: Object.fromEntries(annotations) };
}

/** The alternatives of a union, or the schema itself. */
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return ((schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined) ?? [schema];
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? ['anything'] : ([type].flat() as string[]);
}

function addType(type: string, located: Located, literals: Set<string>, others: Alternative[]): void {
  if (type === 'null') literals.add('null');
  else if (type === 'boolean') literals.add('true').add('false');
  else others.push(alternativeOf(type, located));
}

function alternativeOf(type: string, { schema, root }: Located): Alternative {
  const inner = new Map<string, Located>();
  const put = (name: string, value: unknown): void => {
    if (typeof value === 'boolean') inner.set(name, { schema: value ? {} : { not: {} }, root });
    else inner.set(name, { schema: value as JsonSchema, root });
  };
  const ignored = [...ANNOTATIONS, ...STRUCTURE, ...OF_OBJECTS, ...OF_ARRAYS];
  const plain = Object.entries(schema).filter(([name]) => !ignored.includes(name));
  const keywords: Record<string, unknown> = Object.fromEntries(plain);
  if (type === 'object') describeObject(schema, keywords, put);
  if (type === 'array') describeArray(schema, keywords, put);
  return { type, keywords, inner };
}

type Put = (name: string, value: unknown) => void;

function describeObject(schema: JsonSchema, keywords: Record<string, unknown>, put: Put): void {
  for (const [name, value] of Object.entries(schema['properties'] ?? {})) put(name, value);
  for (const [pattern, value] of Object.entries(schema['patternProperties'] ?? {})) put(`/${pattern}/`, value);
  keywords['required'] = [...((schema['required'] ?? []) as string[])].sort();
  put('*', schema['additionalProperties'] ?? true);
  if (schema['propertyNames'] !== undefined) put('(name)', schema['propertyNames']);
}

/**
 * A tuple of draft 7 has its items in `items`, one of 2020-12 in `prefixItems`. A tuple of equal
 * items is an array with limits.
 */
function describeArray(schema: JsonSchema, keywords: Record<string, unknown>, put: Put): void {
  const { items, prefixItems, additionalItems, minItems = 0, maxItems, uniqueItems = false } = schema;
  const prefix = (prefixItems ?? (Array.isArray(items) ? items : [])) as readonly unknown[];
  const after = (Array.isArray(items) ? additionalItems : items) ?? true;
  const limit = after === false ? prefix.length : (maxItems as number | undefined);
  const isClosed = prefix.length > 0 && limit === prefix.length;
  const isUniform = prefix.every((value) => isDeepStrictEqual(value, isClosed ? prefix[0] : after));
  if (isUniform) {
    if (limit !== 0) put('[]', isClosed ? prefix[0] : after);
  } else {
    prefix.forEach((value, index) => put(`[${index}]`, value));
    if (!isClosed) put('[]', after);
  }
  Object.assign(keywords, { minItems, maxItems: limit ?? null, uniqueItems });
}

function withAnnotations(other: Alternative, annotations: Alternatives['annotations']): Alternative {
  return { ...other, keywords: { ...annotations, ...other.keywords } };
}

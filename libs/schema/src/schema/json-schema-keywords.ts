import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';
import { escapePointer } from './json-pointer.js';

/** The supported versions of JSON Schema. Older drafts are treated as draft 07. */
export type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** The values of `type`. */
const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** The dialect of `$schema`. Default: 2020-12. */
export function dialectOf({ $schema }: JsonSchema): Dialect {
  const name = typeof $schema === 'string' ? $schema : '';
  if (/draft-0[4-7]/.test(name)) return 'draft-07';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

/**
 * What a metaschema requires of a keyword's value, and whether the value contains schemas:
 * directly or by name.
 */
type Kind = readonly [is: string, test: (value: unknown) => boolean, schemas?: 'direct' | 'named'];

const KINDS = {
  text: ['a string', isText],
  anchor: ['a plain name', (value) => isText(value) && /^[A-Za-z_][-\w.]*$/.test(value)],
  resource: ['a URI without a fragment', (value) => isText(value) && /^[^#]*#?$/.test(value)],
  flag: ['a boolean', (value) => typeof value === 'boolean'],
  number: ['a number', isNumber],
  positive: ['a number greater than 0', (value) => isNumber(value) && value > 0],
  count: ['an integer of 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0],
  names: ['an array of different strings', isNames],
  namesMap: ['an object with arrays of different strings', (value) => isMapOf(value, isNames)],
  list: ['an array', Array.isArray],
  choice: ['an array of different values', isChoice],
  type: [`one of ${TYPES.join(', ')}, or an array of different ones`, isTypes],
  schema: ['an object or a boolean', isSchema, 'direct'],
  schemas: ['an array of schemas', isSchemas, 'direct'],
  schemaOrSchemas: ['a schema or an array of schemas', (value) => isSchema(value) || isSchemas(value), 'direct'],
  schemaMap: ['an object with schemas', (value) => isMapOf(value, isSchema), 'named'],
  schemaOrNamesMap: [
    'an object with schemas or arrays of different strings',
    (value) => isMapOf(value, (item) => isSchema(item) || isNames(item)),
    'named',
  ],
} satisfies Record<string, Kind>;

type Keywords = Readonly<Record<string, Kind>>;

const DRAFT_07: Keywords = {
  ...all('text', '$id', '$schema', '$ref', '$comment', 'title', 'description', 'pattern', 'format'),
  ...all('text', 'contentMediaType', 'contentEncoding'),
  ...all('flag', 'readOnly', 'uniqueItems'),
  ...all('number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...all('positive', 'multipleOf'),
  ...all('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...all('names', 'required'),
  ...all('list', 'examples'),
  ...all('choice', 'enum'),
  ...all('type', 'type'),
  ...all('schema', 'additionalItems', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'),
  ...all('schemas', 'allOf', 'anyOf', 'oneOf'),
  ...all('schemaOrSchemas', 'items'),
  // `$defs` was added later, but is widely used with draft 07.
  ...all('schemaMap', 'properties', 'patternProperties', 'definitions', '$defs'),
  ...all('schemaOrNamesMap', 'dependencies'),
};

const DRAFT_2019: Keywords = {
  ...DRAFT_07,
  ...all('resource', '$id'),
  ...all('anchor', '$anchor'),
  ...all('list', 'enum'),
  ...all('text', '$recursiveRef'),
  ...all('flag', '$recursiveAnchor', 'deprecated', 'writeOnly'),
  ...all('count', 'minContains', 'maxContains'),
  ...all('namesMap', 'dependentRequired'),
  ...all('schema', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'),
  ...all('schemaMap', 'dependentSchemas'),
};

const { additionalItems: _dropped, ...KEPT_IN_2020 } = DRAFT_2019;

const DRAFT_2020: Keywords = {
  ...KEPT_IN_2020,
  ...all('anchor', '$dynamicAnchor', '$recursiveAnchor'),
  ...all('text', '$dynamicRef'),
  ...all('schema', 'items'),
  ...all('schemas', 'prefixItems'),
};

const DIALECTS: Readonly<Record<Dialect, ReadonlyMap<string, Kind>>> = {
  'draft-07': new Map(Object.entries(DRAFT_07)),
  '2019-09': new Map(Object.entries(DRAFT_2019)),
  '2020-12': new Map(Object.entries(DRAFT_2020)),
};

function all(kind: keyof typeof KINDS, ...keywords: readonly string[]): Keywords {
  return Object.fromEntries(keywords.map((keyword) => [keyword, KINDS[kind]]));
}

/** Keywords whose values a metaschema cannot judge: the targets of references, and patterns. */
const OPEN_KEYWORDS: ReadonlySet<string> = new Set(['$ref', 'pattern', 'patternProperties']);

/** Keywords whose schemas are only used through references. */
export const HOLDING: ReadonlySet<string> = new Set(['$defs', 'definitions', 'contentSchema']);

/** What a metaschema says of a schema. */
export interface SchemaJudgement {
  /** Each text starts with the location. */
  readonly violations: string[];
  /** Whether the schema has references or patterns, which have to be checked as well. */
  isOpen: boolean;
}

/** Checks a schema against the metaschema of its dialect. */
export function judgeSchema(schema: JsonSchema, dialect: Dialect): SchemaJudgement {
  const judgement: SchemaJudgement = { violations: [], isOpen: false };
  judge(schema, DIALECTS[dialect], '', judgement);
  return judgement;
}

/** One pass without closures: an application may have thousands of tools, checked before its first answer. */
function judge(
  schema: JsonSchema,
  keywords: ReadonlyMap<string, Kind>,
  pointer: string,
  judgement: SchemaJudgement,
): void {
  for (const keyword of Object.keys(schema)) {
    const kind = keywords.get(keyword);
    if (!kind) continue;
    const value = schema[keyword];
    if (!kind[1](value)) judgement.violations.push(`${pointer}/${keyword} must be ${kind[0]}`);
    if (OPEN_KEYWORDS.has(keyword)) judgement.isOpen = true;
    if (kind[2] === undefined || typeof value !== 'object' || value === null) continue;
    if (kind[2] === 'direct' && !Array.isArray(value))
      judge(value as JsonSchema, keywords, `${pointer}/${keyword}`, judgement);
    else judgeAll(value as JsonSchema, keywords, `${pointer}/${keyword}`, judgement);
  }
}

function judgeAll(
  schemas: JsonSchema,
  keywords: ReadonlyMap<string, Kind>,
  pointer: string,
  judgement: SchemaJudgement,
): void {
  for (const key of Object.keys(schemas)) {
    const child = schemas[key];
    if (isJsonObject(child)) judge(child, keywords, `${pointer}/${escapePointer(key)}`, judgement);
  }
}

/** Visits the direct subschemas of a schema, with the JSON pointer to each. */
export function eachSubschema(
  schema: JsonSchema,
  dialect: Dialect,
  visit: (child: JsonSchema, pointer: string, keyword: string) => void,
): void {
  const keywords = DIALECTS[dialect];
  for (const keyword of Object.keys(schema)) {
    const schemas = keywords.get(keyword)?.[2];
    const value = schema[keyword];
    if (schemas === undefined || typeof value !== 'object' || value === null) continue;
    if (schemas === 'direct' && !Array.isArray(value)) visit(value as JsonSchema, `/${keyword}`, keyword);
    else {
      for (const [key, child] of Object.entries(value)) {
        if (isJsonObject(child)) visit(child, `/${keyword}/${escapePointer(key)}`, keyword);
      }
    }
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

function isChoice(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return new Set(value.map((item) => JSON.stringify(item))).size === value.length;
}

function isTypes(value: unknown): boolean {
  return TYPES.includes(value) || (isChoice(value) && value.every((type) => TYPES.includes(type)));
}

function isSchema(value: unknown): boolean {
  return isJsonObject(value) || typeof value === 'boolean';
}

function isSchemas(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema);
}

function isMapOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  return isJsonObject(value) && Object.values(value).every(holds);
}
